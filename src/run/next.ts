import { isReadOnly } from '../core/call.ts'
import type { FiredLimit } from '../core/limits.ts'
import type { Status } from '../core/outcome.ts'
import type { ToolChoice } from '../core/request.ts'
import { isHandedOver } from './hand-over.ts'
import { describeLimit, firedLimit, isRepeatWarningDue, mayAskOnceMore, statusOf } from './limits.ts'
import { heard, type OpenCall, type State } from './state.ts'

/** What has to happen now. */
export type Move =
  | { readonly do: 'ask'; readonly toolChoice: ToolChoice }
  | { readonly do: 'check'; readonly calls: readonly OpenCall[] }
  | { readonly do: 'execute'; readonly calls: readonly OpenCall[] }
  | { readonly do: 'wait' }
  | { readonly do: 'recover'; readonly calls: readonly OpenCall[] }
  | { readonly do: 'close'; readonly calls: readonly OpenCall[]; readonly cause: 'cancelled' | 'blocked' }
  | { readonly do: 'judge'; readonly answer: string }
  | { readonly do: 'checkFirst' }
  | { readonly do: 'checkLast' }
  | { readonly do: 'warn' }
  | { readonly do: 'askLast'; readonly fired: FiredLimit }
  | { readonly do: 'end'; readonly ending: Ending }
  | { readonly do: 'rest' }

export interface Ending {
  readonly status: Status
  readonly reason: string
  readonly fix?: string
  readonly limit?: FiredLimit
}

/** The agent, as a function: looks at what happened and says what has to happen next. Pure. */
export function nextMove(state: State): Move {
  const move = moveFor(state)
  if (move.do !== 'end') return move
  if (state.started?.checksLast === true && state.checkedAt !== heard(state)) return { do: 'checkLast' }
  return isHandedOver(state, move.ending.status) ? end({ ...move.ending, status: 'blocked' }) : move
}

function moveFor(state: State): Move {
  if (state.outcome !== undefined) return { do: 'rest' }
  if (state.started === undefined) throw new Error('A run starts with run.started.')
  const open = state.calls.filter((each) => each.stage !== 'answered')

  if (state.cancelledBy !== undefined) return closeOr(open, 'cancelled', `Cancelled by ${state.cancelledBy}.`, state)
  if (state.blocked !== undefined) return closeOr(open, 'blocked', state.blocked.reason, state)
  if (open.length > 0) return moveCalls(open)
  if (state.claim !== undefined) return { do: 'judge', answer: state.claim }
  if (state.accepted) return end(acceptance(state))
  if (state.failure !== undefined) return end({ status: 'failed', ...state.failure })

  if (state.started.checksFirst === true && state.evidenceAtStart === undefined) return { do: 'checkFirst' }
  if (state.lastAnswer === 'due') return { do: 'ask', toolChoice: 'none' }
  if (state.limit !== undefined) return end(limitEnding(state.limit))
  const fired = firedLimit(state, state.started.limits)
  if (fired !== undefined)
    return mayAskOnceMore(state, state.started.limits) ? { do: 'askLast', fired } : end(limitEnding(fired))
  if (isRepeatWarningDue(state, state.started.limits)) return { do: 'warn' }
  return { do: 'ask', toolChoice: 'auto' }
}

/** All calls of a reply are checked before any runs; reads run together, everything else alone and in reply order. */
function moveCalls(open: readonly OpenCall[]): Move {
  const asked = open.filter((each) => each.stage === 'asked')
  if (asked.length > 0) return { do: 'check', calls: asked }
  const started = open.filter((each) => each.stage === 'started')
  if (open.some((each) => each.stage === 'parked')) return { do: 'wait' }
  if (started.length > 0) return { do: 'recover', calls: started }
  const barrier = open.findIndex((each) => !isReadOnly(each.effects))
  return { do: 'execute', calls: barrier === -1 ? open : open.slice(0, Math.max(1, barrier)) }
}

function closeOr(open: readonly OpenCall[], cause: 'cancelled' | 'blocked', reason: string, state: State): Move {
  if (open.length > 0) return { do: 'close', calls: open, cause }
  const fix = cause === 'blocked' && state.blocked?.fix !== undefined ? { fix: state.blocked.fix } : {}
  return end({ status: cause, reason, ...fix })
}

/** An opinion proves nothing, however many there are. */
function acceptance({ evidence, limit }: State): Ending {
  const proved = evidence.some(({ doubt }) => doubt !== 'opinion')
  if (limit !== undefined && !proved) return limitEnding(limit)
  const named = limit === undefined ? {} : { limit }
  return proved
    ? { status: 'success', reason: `Every criterion was checked and holds (${evidence.length}).`, ...named }
    : {
        status: 'answered',
        reason: `The model answered; ${evidence.length === 0 ? 'the task named no criteria to prove' : 'only opinions speak for it'}.`,
      }
}

const limitEnding = (fired: FiredLimit): Ending => ({
  status: statusOf(fired.limit),
  reason: describeLimit(fired),
  limit: fired,
})

const end = (ending: Ending): Move => ({ do: 'end', ending })
