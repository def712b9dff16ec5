import { openDeadline, untilAborted } from '../core/deadline.ts'
import { describeError, TaoError } from '../core/error.ts'
import type { Fact } from '../core/event.ts'
import type { Evidence } from '../core/outcome.ts'
import type { Criterion, Delivery } from '../judge/criterion.ts'
import { SandboxError } from '../sandbox/sandbox.ts'
import { blockedBy } from './answers.ts'
import type { Run } from './run.ts'
import { timeLeft } from './time.ts'

/** Judging is given this long even when the run's time is up: a last answer is judged too. */
const LEAST_TIME_MS = 120_000

/** The model claims to be done. Every criterion is checked now, on what would be delivered, whatever was checked before. */
export async function* judge(run: Run, answer: string, signal: AbortSignal): AsyncGenerator<Fact> {
  using deadline = openDeadline(signal, Math.max(LEAST_TIME_MS, timeLeft(run).ms), 'Judging the claim')
  const { workspace, criteria } = run.parts
  const delivery = { answer, signal: deadline.signal, ...(workspace === undefined ? {} : { workspace }) }
  const evidence: Evidence[] = []
  try {
    const tree = criteria.length === 0 ? undefined : await workspace?.treeHash()
    for (const criterion of criteria) {
      const found = await collect(criterion, delivery)
      if (signal.aborted) return
      evidence.push(found)
      yield checked(run, found, tree)
    }
    const disturbed = await findDisturbed(run)
    if (disturbed !== undefined) {
      evidence.push(disturbed)
      yield checked(run, disturbed, tree)
    }
  } catch (error) {
    if (error instanceof SandboxError) return yield blockedBy(error)
    if (!(error instanceof TaoError)) throw error
    evidence.push(unusable(error))
    yield checked(run, unusable(error))
  }
  yield verdict(evidence)
}

/** A working copy that cannot be read, such as one of folders nested too deeply, is for the model to mend. */
const unusable = ({ message, fix }: TaoError): Evidence => ({
  criterion: 'the working copy',
  holds: false,
  detail: fix === undefined ? message : `${message} ${fix}`,
})

const checked = ({ state }: Run, found: Evidence, tree?: string): Fact => ({
  kind: 'check.finished',
  ...found,
  ...(tree === undefined ? {} : { tree }),
  lastChange: state.lastChange,
})

async function collect(criterion: Criterion, delivery: Delivery): Promise<Evidence> {
  try {
    const { holds, detail } = await untilAborted(criterion.check(delivery), delivery.signal)
    return { criterion: criterion.name, holds, detail }
  } catch (error) {
    if (error instanceof SandboxError) throw error
    return { criterion: criterion.name, holds: false, detail: `The check failed: ${describeError(error)}` }
  }
}

/** Protected paths are compared whether or not the task asks for it; nothing is said when all is well. */
async function findDisturbed({ parts }: Run): Promise<Evidence | undefined> {
  const paths = (await parts.workspace?.disturbed()) ?? []
  if (paths.length === 0) return undefined
  return { criterion: 'protected paths', holds: false, detail: `No longer as they were: ${paths.join(', ')}.` }
}

function verdict(evidence: readonly Evidence[]): Fact {
  const missing = evidence.filter((each) => !each.holds)
  if (missing.length === 0) return { kind: 'claim.accepted', evidence }
  const lines = missing.map(({ criterion, detail }) => `- ${criterion}\n${detail}`)
  const observation = `Not done yet. ${missing.length} of ${evidence.length} criteria do not hold:\n${lines.join('\n')}`
  return { kind: 'claim.rejected', evidence, observation }
}
