import type {
  ApprovalDenied,
  ApprovalExpired,
  ApprovalGiven,
  ApprovalSuperseded,
  CallParked,
  RunResumed,
  UserSaid,
} from '../core/approval.ts'
import type { FactOf, Stamp } from '../core/event.ts'
import { spokenText } from '../core/words.ts'
import { answer, append, openCall, tell } from './history.ts'
import type { State } from './state.ts'

type WaitingKind =
  | 'call.parked'
  | 'approval.given'
  | 'approval.denied'
  | 'approval.expired'
  | 'approval.superseded'
  | 'mark.added'
  | 'user.said'
  | 'run.parked'
  | 'run.resumed'

/** What waiting for a person, and going on afterwards, does to the state. */
export const WAITING_FOLDS: { readonly [K in WaitingKind]: (state: State, event: Stamp & FactOf<K>) => void } = {
  'call.parked': parked,
  'approval.given': given,
  'approval.denied': (state, event) => {
    state.counts.refusals += 1
    notApproved(state, event)
  },
  'approval.expired': notApproved,
  'approval.superseded': notApproved,
  'mark.added': (state, { mark }) => {
    if (!state.marks.includes(mark)) state.marks.push(mark)
  },
  'user.said': said,
  'run.parked': (state) => {
    state.parked = true
  },
  'run.resumed': resumed,
}

function parked(state: State, event: Stamp & CallParked): void {
  const open = openCall(state, event.call)
  if (open.stage === 'asked') state.counts.toolCalls += 1
  open.stage = 'parked'
  open.effects = event.effects
  open.parked = event
  state.waitingSince ??= state.now
}

/** An approval is used once: one of a call that does not wait changes nothing. */
function given(state: State, event: Stamp & ApprovalGiven): void {
  const open = openCall(state, event.call)
  if (open.stage !== 'parked') return
  open.stage = 'cleared'
  open.approval = event
  workOn(state)
}

function notApproved(state: State, event: ApprovalDenied | ApprovalExpired | ApprovalSuperseded): void {
  answer(state, event.call, event.observation, [])
  workOn(state)
}

/** The time that a call waited is not working time. */
function workOn(state: State): void {
  state.parked = false
  state.startedAt += state.now - (state.waitingSince ?? state.now)
  const waits = state.calls.some(({ stage }) => stage === 'parked')
  state.waitingSince = waits ? state.now : undefined
}

/** A new word of the user is a new start for what was counted in a row. */
function said(state: State, { words }: UserSaid): void {
  state.words.push(...words)
  append(state, { role: 'user', text: spokenText(words) })
  startOver(state)
}

/** An end is undone; what was used up stays used up. The time between is not working time. */
function resumed(state: State, event: RunResumed): void {
  takeOver(state, event)
  if (state.waitingSince === undefined) state.startedAt += state.now - state.before
  state.parked = false
  state.outcome = undefined
  state.cancelledBy = undefined
  state.blocked = undefined
  state.failure = undefined
  state.limit = undefined
  state.claim = undefined
  state.accepted = false
  state.lastAnswer = 'not asked'
  state.checkedAt = undefined
  if (event.observation !== undefined) tell(state, event.observation)
}

/** From here on the run is as the event says. */
function takeOver(state: State, { kind: _, reason: _why, observation: _told, ...changed }: RunResumed): void {
  const before = state.started?.protocol
  if (state.started !== undefined) state.started = { ...state.started, ...changed }
  if (before !== undefined && changed.protocol !== undefined && changed.protocol !== before)
    state.messages = state.messages.map((message) =>
      message.role === 'assistant' ? { writtenIn: before, ...message } : message,
    )
  if (changed.head !== undefined || changed.model !== undefined) state.asked = 0
  if (changed.system !== undefined) state.messages[0] = { role: 'system', text: changed.system }
  if (changed.policyHash !== undefined) decideAnew(state)
}

/** What another policy had let pass and has not begun is decided on by the one of now. A person's approval stays one. */
function decideAnew({ calls, counts }: State): void {
  for (const open of calls.filter(({ approval }) => approval === undefined))
    if (open.stage === 'started') open.isOfOldPolicy = true
    else if (open.stage === 'cleared') {
      open.stage = 'asked'
      counts.toolCalls -= 1
    }
}

function startOver({ counts, repeats }: State): void {
  Object.assign(counts, { malformedReplies: 0, rejectedClaims: 0, refusals: 0 })
  Object.assign(repeats, { most: 0, warned: false })
  repeats.changing.clear()
  repeats.others.clear()
}
