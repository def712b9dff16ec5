import { describeError } from '../core/error.ts'
import type { Fact } from '../core/event.ts'
import type { KnownFact } from '../core/known-fact.ts'
import type { FiredLimit } from '../core/limits.ts'
import type { Outcome, Supported } from '../core/outcome.ts'
import { factNamed } from '../judge/known-facts.ts'
import type { LeftOut } from '../sandbox/workspace.ts'
import { refusal, unknownOutcome } from './answers.ts'
import { handOverNote } from './hand-over.ts'
import { describeLimit } from './limits.ts'
import type { Ending } from './next.ts'
import { recordedCall } from './read-facts.ts'
import type { Parts, Run } from './run.ts'
import type { OpenCall, State } from './state.ts'

/** Answers calls that will not run any more, so that the history can always be sent. */
export function* close(calls: readonly OpenCall[], cause: 'cancelled' | 'blocked'): Generator<Fact> {
  const why = cause === 'cancelled' ? 'the run was cancelled' : 'the run cannot go on'
  for (const { call, stage } of calls) {
    yield stage === 'started' ? unknownOutcome(call) : refusal(call, cause, `Not run: ${why}.`)
  }
}

/** A limit fired and there is budget for one more request. */
export function* askLast({ parts }: Run, fired: FiredLimit): Generator<Fact> {
  const own = fired.limit === 'contextTokens' ? parts.protocol.layout?.contextFull : undefined
  const usual = `${describeLimit(fired)} No more tools can be called. Answer now, from what you know, and say plainly what is not done.`
  yield { kind: 'limit.reached', ...fired, observation: own ?? usual }
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

async function makeOutcome(run: Run, ending: Ending): Promise<Outcome> {
  const { state, parts } = run
  const { changed, leftOut, unlisted } = await listDelivery(parts)
  const facts = knownFacts(state)
  const support = await linkAnswer(run)
  const handOver = handOverNote(state, facts, ending.status)
  return {
    ...ending,
    ...(state.answer === undefined ? {} : { answer: state.answer }),
    evidence: state.evidence,
    ...(state.facts.length === 0 ? {} : { facts }),
    ...(support.length === 0 ? {} : { support }),
    usage: state.usage,
    modelCalls: state.counts.modelCalls,
    toolCalls: state.counts.toolCalls,
    durationMs: state.now - state.startedAt,
    ...(parts.sandbox === undefined ? {} : { sandbox: parts.sandbox.name }),
    ...(state.marks.length === 0 ? {} : { marks: [...state.marks] }),
    ...(handOver === undefined ? {} : { handOver }),
    changed,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(unlisted === undefined ? {} : { unlisted }),
  }
}

/** Those that are settled, each with the event that proves it. */
const knownFacts = ({ started, facts }: State): readonly KnownFact[] =>
  (started?.facts ?? []).flatMap(({ name }) => {
    const standing = factNamed(name, facts)
    return standing.state === 'known' ? [standing.known] : []
  })

/** The model's own words, sentence by sentence. Loaded where something was said after something was seen. */
async function linkAnswer({ state, parts }: Run): Promise<readonly Supported[]> {
  const { answer = '', started, ended } = state
  if (answer === '' || started?.answer !== undefined || ended.length === 0) return []
  const { supportOf } = await import('../judge/support.ts')
  return supportOf(answer, { calls: ended.map((call) => recordedCall({ parts }, call)) })
}

interface Delivery {
  readonly changed: readonly string[]
  readonly leftOut: readonly LeftOut[]
  readonly unlisted?: string
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
    return { changed: [], leftOut: [], unlisted: `The changed files could not be listed: ${describeError(error)}` }
  }
}
