import { isReadOnly } from '../core/call.ts'
import type { FiredLimit } from '../core/limits.ts'
import type { Status } from '../core/outcome.ts'
import type { ToolChoice } from '../core/request.ts'
import { describeLimit, firedLimit, isRepeatWarningDue, mayAskOnceMore, statusOf } from './limits.ts'
import type { OpenCall, State } from './state.ts'

/** What has to happen now. */
export type Move =
  | { readonly do: 'ask'; readonly toolChoice: ToolChoice }
  | { readonly do: 'check'; readonly calls: readonly OpenCall[] }
  | { readonly do: 'execute'; readonly calls: readonly OpenCall[] }
  | { readonly do: 'recover'; readonly calls: readonly OpenCall[] }
  | { readonly do: 'close'; readonly calls: readonly OpenCall[]; readonly cause: 'cancelled' | 'blocked' }
  | { readonly do: 'judge'; readonly answer: string }
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
  if (state.outcome !== undefined) return { do: 'rest' }
  if (state.started === undefined) throw new Error('A run starts with run.started.')
  const open = state.calls.filter((each) => each.stage !== 'answered')

  if (state.cancelledBy !== undefined) return closeOr(open, 'cancelled', `Cancelled by ${state.cancelledBy}.`, state)
  if (state.blocked !== undefined) return closeOr(open, 'blocked', state.blocked.reason, state)
  if (open.length > 0) return moveCalls(open)
  if (state.claim !== undefined) return { do: 'judge', answer: state.claim }
  if (state.accepted) return end(acceptance(state))
  if (state.failure !== undefined) return end({ status: 'failed', ...state.failure })

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
  if (started.length > 0) return { do: 'recover', calls: started }
  const barrier = open.findIndex((each) => !isReadOnly(each.effects))
  return { do: 'execute', calls: barrier === -1 ? open : open.slice(0, Math.max(1, barrier)) }
}

function closeOr(open: readonly OpenCall[], cause: 'cancelled' | 'blocked', reason: string, state: State): Move {
  if (open.length > 0) return { do: 'close', calls: open, cause }
  const fix = cause === 'blocked' && state.blocked?.fix !== undefined ? { fix: state.blocked.fix } : {}
  return end({ status: cause, reason, ...fix })
}

function acceptance({ started, evidence, limit }: State): Ending {
  const proved = (started?.criteria.length ?? 0) > 0
  if (limit !== undefined && !proved) return limitEnding(limit)
  const named = limit === undefined ? {} : { limit }
  return proved
    ? { status: 'success', reason: `Every criterion was checked and holds (${evidence.length}).`, ...named }
    : { status: 'answered', reason: 'The model answered; the task named no criteria to prove.' }
}

const limitEnding = (fired: FiredLimit): Ending => ({
  status: statusOf(fired.limit),
  reason: describeLimit(fired),
  limit: fired,
})

const end = (ending: Ending): Move => ({ do: 'end', ending })
