import { isReadOnly } from '../core/call.ts'
import type { ClaimMade } from '../core/claim.ts'
import { TaoError } from '../core/error.ts'
import type {
  CallCleared,
  CallFinished,
  CallRefused,
  CallStarted,
  Event,
  Fact,
  FactOf,
  RunStarted,
  Stamp,
} from '../core/event.ts'
import type { ModelReplied, RequestSent } from '../core/exchange.ts'
import type { FactConfirmed, FactConflict } from '../core/known-fact.ts'
import type { LimitReached } from '../core/limits.ts'
import { addUsage, estimateTokens, inputTokens, NO_USAGE } from '../core/usage.ts'
import { spokenText } from '../core/words.ts'
import { addFact } from '../judge/known-facts.ts'
import { WAITING_FOLDS } from './evolve-waiting.ts'
import { answer, openCall, tell } from './history.ts'
import { heard, type State, type Trouble } from './state.ts'

/**
 * Folds one event into the state. Live runs, resumed runs and replays all do this and nothing else, so a state is always
 * the fold of its journal.
 */
export function evolve(state: State, event: Event): void {
  state.seq = event.seq + 1
  state.before = state.now
  state.now = Date.parse(event.at)
  if (!Object.hasOwn(FOLDS, event.kind)) throw unknownKind(event)
  const fold = FOLDS[event.kind] as (state: State, event: Event) => void
  fold(state, event)
}

const unknownKind = ({ run, seq, kind }: Event): TaoError =>
  new TaoError('version', `Event ${seq} of run ${run} is "${kind}", which this version of Tao does not know.`, {
    fix: 'Read it with the version that recorded it.',
  })

const FOLDS: { readonly [K in Fact['kind']]: (state: State, event: Stamp & FactOf<K>) => void } = {
  ...WAITING_FOLDS,
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
  'files.changed': (state, { files }) => {
    for (const file of files)
      if ('atStart' in file) state.files.delete(file.path)
      else state.files.set(file.path, file)
  },
  'fact.confirmed': known,
  'fact.conflict': known,
  'start.checked': (state, event) => {
    state.evidenceAtStart = event.evidence
  },
  'end.checked': (state, event) => {
    state.evidence = event.evidence
    state.checkedAt = heard(state)
  },
  'limit.near': (state, event) => {
    state.repeats.warned = true
    if (event.observation !== undefined) tell(state, event.observation)
  },
  'limit.reached': limited,
  'claim.made': claimed,
  'check.finished': (state, { usage }) => {
    if (usage !== undefined) state.usage = addUsage(state.usage, usage) // the verdict repeats what was found
  },
  'claim.accepted': (state, event) => {
    state.claim = undefined
    state.accepted = true
    state.checkedAt = heard(state)
    state.evidence = event.evidence
    if (event.answer !== undefined) state.answer = event.answer
  },
  'claim.rejected': (state, event) => {
    state.checkedAt = heard(state)
    state.rejected = { answer: state.claim ?? '', heard: state.checkedAt }
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
  state.messages.push({ role: 'system', text: event.system }, { role: 'user', text: spokenText(event.words) })
  state.words.push(...event.words)
  state.contextTokens = estimateTokens(event.system) + estimateTokens(spokenText(event.words))
}

function sent(state: State, event: RequestSent): void {
  state.step = event.step
  state.asked = state.messages.length
  state.counts.modelCalls += 1
  if (state.lastAnswer === 'due') state.lastAnswer = 'asked'
}

/** A service that does not say what was used is counted by estimate: a limit never fails open. */
function replied(state: State, event: ModelReplied): void {
  const written = event.usage?.output ?? estimateTokens(event.text + (event.reasoning ?? ''))
  const read = event.usage === undefined ? state.contextTokens : inputTokens(event.usage)
  state.usage = addUsage(state.usage, event.usage ?? { ...NO_USAGE, inputFresh: read, output: written })
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
  if (event.before !== undefined) open.before = event.before
  if (!isReadOnly(open.effects)) state.lastChange = state.seq - 1
}

function finished(state: State, event: CallFinished): void {
  const { call, effects, approval } = openCall(state, event.call)
  if (!isReadOnly(effects)) state.lastChange = state.seq - 1
  const { ok, exit, observation, usage } = event
  if (usage !== undefined) state.usage = addUsage(state.usage, usage)
  state.ended.push({
    ...{ call, step: state.step, seq: state.seq - 1, ok, observation },
    ...(exit === undefined ? {} : { exit }),
    ...(approval?.edited === undefined ? {} : { edited: approval.edited }),
  })
  answer(state, event.call, event.observation, event.files ?? [])
}

function known(state: State, event: Stamp & (FactConfirmed | FactConflict)): void {
  const { fact, value, call, from, source, observation } = event
  state.facts = addFact(state.facts, { fact, value, call, from, source })
  if (observation !== undefined) tell(state, observation)
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
