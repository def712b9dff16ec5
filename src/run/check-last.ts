import type { EndChecked } from '../core/claim.ts'
import { openDeadline } from '../core/deadline.ts'
import { describeError, TaoError } from '../core/error.ts'
import type { Evidence } from '../core/outcome.ts'
import type { Criterion, Delivery } from '../judge/criterion.ts'
import { deliveryOf, makeAnswer } from './deliver.ts'
import { collect, evidenceOf, findDisturbed, unusable } from './evidence.ts'
import type { Run } from './run.ts'

/** As long as judging a claim may take at least. */
const USUAL_MS = 120_000
/** Whoever has stopped a run does not wait for it. */
const SHORT_MS = 2_000

/**
 * The run is about to end without an accepted claim: what of its criteria holds all the same. No command is run where no call
 * was, nor when a person cancelled the run or its sandbox broke; no model is asked. Never throws.
 */
export async function* checkLast(run: Run, signal: AbortSignal): AsyncGenerator<EndChecked> {
  const evidence = await lookAgain(run, signal)
  if (evidence !== undefined) yield { kind: 'end.checked', evidence }
}

/** Resolves to undefined when the run is cancelled meanwhile. */
async function lookAgain(run: Run, signal: AbortSignal): Promise<readonly Evidence[] | undefined> {
  const stopped = whyStopped(run)
  using deadline =
    stopped === undefined
      ? openDeadline(signal, USUAL_MS, 'The last check')
      : openDeadline(new AbortController().signal, SHORT_MS, 'The last check')
  const made = makeAnswer(run, run.state.answer ?? '')
  const delivery = deliveryOf(run, made.answer, deadline.signal)
  const evidence: Evidence[] = []
  for (const criterion of run.parts.criteria) {
    evidence.push(await look(run, criterion, { delivery, stopped }))
    if (stopped === undefined && signal.aborted) return undefined
  }
  for (const problem of [made.evidence, await disturbed(run)]) if (problem !== undefined) evidence.push(problem)
  return evidence
}

const whyStopped = ({ state }: Run): string | undefined => {
  if (state.cancelledBy !== undefined) return 'the run was cancelled'
  return state.blocked === undefined ? undefined : 'the run cannot go on'
}

interface Look {
  readonly delivery: Delivery
  readonly stopped: string | undefined
}

async function look(run: Run, criterion: Criterion, { delivery, stopped }: Look): Promise<Evidence> {
  if (criterion.asks === 'model') return notChecked(criterion, 'nothing was claimed that a model could judge')
  if (criterion.asks === 'command') {
    if (run.state.ended.length === 0) return asAtStart(run, criterion)
    if (stopped !== undefined) return notChecked(criterion, stopped)
  }
  try {
    const { usage: _, ...found } = await collect(run, criterion, delivery)
    return found
  } catch (error) {
    return notChecked(criterion, describeError(error))
  }
}

/** Where no call was run, the files are what they were. */
function asAtStart({ state }: Run, criterion: Criterion): Evidence {
  const before = state.evidenceAtStart?.find((each) => each.criterion === criterion.name)
  if (before === undefined) return notChecked(criterion, 'no call was run')
  return before.holds ? { ...before, heldBefore: true } : before
}

async function disturbed(run: Run): Promise<Evidence | undefined> {
  try {
    return await findDisturbed(run)
  } catch (error) {
    return unusable(error instanceof TaoError ? error : new TaoError('workspace', describeError(error)))
  }
}

const notChecked = (criterion: Criterion, why: string): Evidence =>
  evidenceOf(criterion, { holds: false, doubt: 'error', detail: `Not checked: ${why}.` })
