import { isReadOnly } from '../core/call.ts'
import type {
  CallCleared,
  CallFinished,
  CallRefused,
  CallStarted,
  ClaimMade,
  Event,
  Fact,
  FactOf,
  LimitReached,
  ModelReplied,
  RequestSent,
  RunStarted,
  Stamp,
} from '../core/event.ts'
import { addUsage, estimateTokens, inputTokens } from '../core/usage.ts'
import { countRepeat } from './repeats.ts'
import type { OpenCall, State, Trouble } from './state.ts'

/**
 * Folds one event into the state. Live runs, resumed runs and replays all do this and nothing else, so a state is always
 * the fold of its journal.
 */
export function evolve(state: State, event: Event): void {
  state.seq = event.seq + 1
  state.now = Date.parse(event.at)
  const fold = FOLDS[event.kind] as (state: State, event: Event) => void
  fold(state, event)
}

const FOLDS: { readonly [K in Fact['kind']]: (state: State, event: Stamp & FactOf<K>) => void } = {
  'run.started': start,
  'request.sent': sent,
  'model.replied': replied,
  'model.failed': (state, event) => {
    state.failure = trouble(event)
  },
  'reply.malformed': (state, event) => {
    state.counts.malformedReplies += 1
    tell(state, event.observation)
  },
  'call.cleared': cleared,
  'call.refused': refused,
  'call.started': begun,
  'call.finished': finished,
  'limit.near': (state, event) => {
    state.repeats.warned = true
    if (event.observation !== undefined) tell(state, event.observation)
  },
  'limit.reached': limited,
  'claim.made': claimed,
  'check.finished': () => undefined, // the verdict repeats what was found
  'claim.accepted': (state, event) => {
    state.claim = undefined
    state.accepted = true
    state.evidence = event.evidence
  },
  'claim.rejected': (state, event) => {
    state.claim = undefined
    state.evidence = event.evidence
    state.counts.rejectedClaims += 1
    tell(state, event.observation)
  },
  'cancel.requested': (state, event) => {
    state.cancelledBy = event.by
  },
  'run.blocked': (state, event) => {
    state.blocked = trouble(event)
  },
  'run.ended': (state, event) => {
    state.outcome = event.outcome
  },
}

const trouble = ({ reason, fix }: { readonly reason: string; readonly fix?: string }): Trouble =>
  fix === undefined ? { reason } : { reason, fix }

function start(state: State, event: RunStarted): void {
  state.started = event
  state.startedAt = state.now
  state.messages.push({ role: 'system', text: event.system }, { role: 'user', text: event.task })
  state.contextTokens = estimateTokens(event.system) + estimateTokens(event.task)
}

function sent(state: State, event: RequestSent): void {
  state.step = event.step
  state.counts.modelCalls += 1
  if (state.lastAnswer === 'due') state.lastAnswer = 'asked'
}

/** A service that does not say what was used is counted by estimate: a limit never fails open. */
function replied(state: State, event: ModelReplied): void {
  const written = event.usage?.output ?? estimateTokens(event.text + (event.reasoning ?? ''))
  const read = event.usage === undefined ? state.contextTokens : inputTokens(event.usage)
  const estimate = { inputFresh: read, inputCached: 0, inputCacheWritten: 0, output: written, reasoning: 0 }
  state.usage = addUsage(state.usage, event.usage ?? estimate)
  state.contextTokens = read + written
  if (event.calls.length > 0) state.counts.malformedReplies = 0
  for (const call of event.calls) state.ids.add(call.id)
  state.calls = event.calls.map((call) => ({ call, stage: 'asked', effects: [], observation: '' }))
  if (event.text === '' && event.calls.length === 0) return
  const reasoning = event.reasoning === undefined ? {} : { reasoning: event.reasoning }
  state.messages.push({ role: 'assistant', text: event.text, ...reasoning, calls: event.calls })
}

function cleared(state: State, event: CallCleared): void {
  state.counts.toolCalls += 1
  const open = openCall(state, event.call)
  open.stage = 'cleared'
  open.effects = event.effects
}

function refused(state: State, event: CallRefused): void {
  state.counts.toolCalls += openCall(state, event.call).stage === 'asked' ? 1 : 0
  if (event.cause === 'unknown-tool' || event.cause === 'not-permitted') state.counts.refusals += 1
  answer(state, event.call, event.observation, [])
}

function begun(state: State, event: CallStarted): void {
  const open = openCall(state, event.call)
  open.stage = 'started'
  if (!isReadOnly(open.effects)) state.lastChange = state.seq - 1
}

function finished(state: State, event: CallFinished): void {
  if (!isReadOnly(openCall(state, event.call).effects)) state.lastChange = state.seq - 1
  answer(state, event.call, event.observation, event.files ?? [])
}

function claimed(state: State, event: ClaimMade): void {
  state.claim = event.answer
  state.answer = event.answer
  state.counts.malformedReplies = 0
}

function limited(state: State, event: LimitReached): void {
  state.limit = { limit: event.limit, value: event.value, bound: event.bound }
  state.lastAnswer = event.observation === undefined ? 'asked' : 'due'
  if (event.observation !== undefined) tell(state, event.observation)
}

/** One observation for one call. When the last call of the reply has its own, all enter the history in reply order. */
function answer(state: State, id: string, observation: string, files: readonly string[]): void {
  const open = openCall(state, id)
  open.stage = 'answered'
  open.observation = observation
  countRepeat(state.repeats, { call: open.call, observation, changed: files.length > 0 })
  state.contextTokens += estimateTokens(observation)
  if (state.calls.some((each) => each.stage !== 'answered')) return
  for (const { call, observation: text } of state.calls) state.messages.push({ role: 'observation', text, call })
  state.calls = []
}

function tell(state: State, text: string): void {
  state.messages.push({ role: 'observation', text })
  state.contextTokens += estimateTokens(text)
}

function openCall(state: State, id: string): OpenCall {
  const open = state.calls.find((each) => each.call.id === id)
  if (open === undefined) throw new Error(`The journal speaks of call ${id}, which no reply has asked for.`)
  return open
}
