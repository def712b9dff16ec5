import { describeError } from '../core/error.ts'
import type { Fact } from '../core/event.ts'
import type { FiredLimit } from '../core/limits.ts'
import type { Outcome } from '../core/outcome.ts'
import type { LeftOut } from '../sandbox/workspace.ts'
import { refusal, unknownOutcome } from './answers.ts'
import { describeLimit } from './limits.ts'
import type { Ending } from './next.ts'
import type { Parts, Run } from './run.ts'
import type { OpenCall } from './state.ts'

/** Calls that had started when the process ended are answered, not run again. */
export function* recover(calls: readonly OpenCall[]): Generator<Fact> {
  for (const { call } of calls) yield unknownOutcome(call)
}

/** Answers calls that will not run any more, so that the history can always be sent. */
export function* close(calls: readonly OpenCall[], cause: 'cancelled' | 'blocked'): Generator<Fact> {
  const why = cause === 'cancelled' ? 'the run was cancelled' : 'the run cannot go on'
  for (const { call, stage } of calls) {
    yield stage === 'started' ? unknownOutcome(call) : refusal(call, cause, `Not run: ${why}.`)
  }
}

/** A limit fired and there is budget for one more request. */
export function* askLast(fired: FiredLimit): Generator<Fact> {
  const observation = `${describeLimit(fired)} No more tools can be called. Answer now, from what you know, and say plainly what is not done.`
  yield { kind: 'limit.reached', ...fired, observation }
}

export function* warn({ state }: Run): Generator<Fact> {
  const bound = state.started?.limits.repeats ?? 0
  const value = state.repeats.most
  const observation =
    `You have made the same call with the same arguments ${value} times and got the same result each time. ` +
    `Try something else; after ${bound} times the run is stopped.`
  yield { kind: 'limit.near', limit: 'repeats', value, bound, observation }
}

/** The one terminal event. */
export async function* end(run: Run, ending: Ending): AsyncGenerator<Fact> {
  yield { kind: 'run.ended', outcome: await makeOutcome(run, ending) }
}

async function makeOutcome({ state, parts }: Run, ending: Ending): Promise<Outcome> {
  const { changed, leftOut, trouble } = await listDelivery(parts)
  return {
    ...ending,
    ...(trouble === undefined ? {} : { reason: `${ending.reason} ${trouble}` }),
    ...(state.answer === undefined ? {} : { answer: state.answer }),
    evidence: state.evidence,
    usage: state.usage,
    modelCalls: state.counts.modelCalls,
    toolCalls: state.counts.toolCalls,
    durationMs: state.now - state.startedAt,
    ...(parts.sandbox === undefined ? {} : { sandbox: parts.sandbox.name }),
    changed,
    ...(leftOut.length === 0 ? {} : { leftOut }),
  }
}

interface Delivery {
  readonly changed: readonly string[]
  readonly leftOut: readonly LeftOut[]
  readonly trouble?: string
}

/** So many are named; a command can make any number of pipes. */
const MOST_LEFT_OUT = 100

/** A working copy that cannot be read does not keep a run from ending. */
async function listDelivery({ workspace }: Parts): Promise<Delivery> {
  if (workspace === undefined) return { changed: [], leftOut: [] }
  try {
    const changed = (await workspace.changes()).map(({ path }) => path)
    const leftOut = (await workspace.leftOut()).slice(0, MOST_LEFT_OUT).map(({ path, why }) => ({ path, why }))
    return { changed, leftOut }
  } catch (error) {
    return { changed: [], leftOut: [], trouble: `The changed files could not be listed: ${describeError(error)}` }
  }
}
