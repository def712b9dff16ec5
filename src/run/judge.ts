import { openDeadline } from '../core/deadline.ts'
import { TaoError } from '../core/error.ts'
import type { Fact } from '../core/event.ts'
import type { Evidence } from '../core/outcome.ts'
import type { Finding } from '../judge/criterion.ts'
import { SandboxError } from '../sandbox/sandbox.ts'
import { blockedBy } from './answers.ts'
import { deliveryOf, makeAnswer } from './deliver.ts'
import { collect, findDisturbed, unusable } from './evidence.ts'
import type { Run } from './run.ts'
import { timeLeft } from './time.ts'
import { sameClaim, verdict } from './verdict.ts'

/** Judging is given this long even when the run's time is up: a last answer is judged too. */
const LEAST_TIME_MS = 120_000

/** The model claims to be done. Every criterion is checked now, on what would be delivered, whatever was checked before. */
export async function* judge(run: Run, said: string, signal: AbortSignal): AsyncGenerator<Fact> {
  const before = sameClaim(run, said)
  if (before !== undefined) return yield before
  const { workspace, criteria } = run.parts
  const made = makeAnswer(run, said)
  const hasNothing = criteria.length === 0 && workspace === undefined && made.evidence === undefined
  if (hasNothing) return yield verdict([], made)
  using deadline = openDeadline(signal, Math.max(LEAST_TIME_MS, timeLeft(run).ms), 'Judging the claim')
  const delivery = deliveryOf(run, made.answer, deadline.signal)
  const evidence: Evidence[] = []
  try {
    const tree = criteria.length === 0 ? undefined : await workspace?.treeHash()
    for (const criterion of criteria) {
      const { usage, ...found } = await collect(run, criterion, delivery)
      if (signal.aborted) return
      evidence.push(found)
      yield checked(run, { ...found, ...(usage === undefined ? {} : { usage }) }, tree)
    }
    for (const problem of [made.evidence, await findDisturbed(run)]) {
      if (problem === undefined) continue
      evidence.push(problem)
      yield checked(run, problem, tree)
    }
  } catch (error) {
    if (error instanceof SandboxError) return yield blockedBy(error)
    if (!(error instanceof TaoError)) throw error
    evidence.push(unusable(error))
    yield checked(run, unusable(error))
  }
  yield verdict(evidence, made)
}

/** What the findings come to: the claim is accepted, or sent back with what is missing. */
export const settleClaim = (run: Run, said: string, evidence: readonly Evidence[]): Fact =>
  sameClaim(run, said) ?? verdict(evidence, makeAnswer(run, said))

const checked = ({ state }: Run, found: Evidence & Pick<Finding, 'usage'>, tree?: string): Fact => ({
  kind: 'check.finished',
  ...found,
  ...(tree === undefined ? {} : { tree }),
  lastChange: state.lastChange,
})
