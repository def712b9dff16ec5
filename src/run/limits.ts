import type { FiredLimit, LimitName, Limits } from '../core/limits.ts'
import type { Status } from '../core/outcome.ts'
import { totalTokens } from '../core/usage.ts'
import type { State } from './state.ts'

/** What each limit counts. Bounds are met, not passed: the next call would be one too many. A bound of 0 is met by the first. */
const COUNTERS: Readonly<Record<LimitName, (state: State) => number>> = {
  malformedReplies: (state) => state.counts.malformedReplies,
  rejectedClaims: (state) => state.counts.rejectedClaims,
  refusals: (state) => state.counts.refusals,
  repeats: (state) => state.repeats.most,
  toolCalls: (state) => state.counts.toolCalls - 1, // fires when one too many was asked for, not when all were used
  contextTokens: (state) => state.contextTokens,
  modelCalls: (state) => state.counts.modelCalls,
  wallTime: (state) => state.now - state.startedAt,
  tokens: (state) => totalTokens(state.usage),
  cost: (state) => (state.counts.modelCalls === 0 ? 0 : (state.usage.cost ?? Number.POSITIVE_INFINITY)),
}

const NAMES = Object.keys(COUNTERS) as LimitName[]

/** After these there is budget for one more request, so a last answer can be asked for. */
const LEAVE_BUDGET: ReadonlySet<LimitName> = new Set(['repeats', 'toolCalls', 'contextTokens'])

export function firedLimit(state: State, limits: Limits): FiredLimit | undefined {
  for (const limit of NAMES) {
    const bound = limits[limit]
    const value = COUNTERS[limit](state)
    if (bound !== undefined && isMet(value, bound)) return { limit, value, bound }
  }
  return undefined
}

/** True when only limits have fired that leave something for a last answer. */
export function mayAskOnceMore(state: State, limits: Limits): boolean {
  return NAMES.every((limit) => {
    const bound = limits[limit]
    return LEAVE_BUDGET.has(limit) || bound === undefined || !isMet(COUNTERS[limit](state), bound)
  })
}

const isMet = (value: number, bound: number): boolean => value > 0 && value >= bound

/** The model is warned once, half-way to the bound, that it repeats itself. */
export function isRepeatWarningDue({ repeats }: State, limits: Limits): boolean {
  return !repeats.warned && repeats.most >= Math.max(2, Math.ceil(limits.repeats / 2)) && repeats.most < limits.repeats
}

export function statusOf(limit: LimitName): Status {
  if (limit === 'malformedReplies' || limit === 'rejectedClaims') return 'failed'
  return limit === 'refusals' ? 'blocked' : 'limit'
}

const SENTENCES: Readonly<Record<LimitName, string>> = {
  modelCalls: 'requests to the model were used up',
  toolCalls: 'tool calls were used up',
  wallTime: 'milliseconds of working time were used up',
  tokens: 'tokens were used up',
  contextTokens: 'tokens of context were used up',
  cost: 'dollars were used up, or the cost is not known',
  repeats: 'equal calls gave equal results; the run made no progress',
  malformedReplies: 'replies in a row could not be read',
  rejectedClaims: 'claims to be done were rejected',
  refusals: 'calls asked for what this run may not have',
}

export const describeLimit = ({ limit, bound }: FiredLimit): string =>
  bound === 0 ? `Limit ${limit}: none was allowed, and there was one.` : `Limit ${limit}: ${bound} ${SENTENCES[limit]}.`
