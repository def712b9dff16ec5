import type { LimitName, Limits } from '../core/limits.ts'

/** The flag of each limit, what stands behind it, and what it bounds. */
export const LIMIT_FLAGS: Readonly<Record<LimitName, readonly [flag: string, value: string, what: string]>> = {
  modelCalls: ['--model-calls', 'N', 'requests to the model'],
  toolCalls: ['--tool-calls', 'N', 'calls the model may ask for'],
  wallTime: ['--wall-time', 'TIME', 'working time, such as 90s or 10m'],
  tokens: ['--tokens', 'N', 'tokens over all model calls'],
  contextTokens: ['--context-tokens', 'N', 'tokens in one request'],
  cost: ['--cost', 'DOLLARS', 'US dollars over all model calls'],
  repeats: ['--repeats', 'N', 'times the same call may give the same result'],
  malformedReplies: ['--malformed-replies', 'N', 'replies in a row that cannot be read'],
  rejectedClaims: ['--rejected-claims', 'N', 'claims to be done that are sent back'],
  refusals: ['--refusals', 'N', 'calls to what the run may not have'],
}

export const LIMIT_NAMES = Object.keys(LIMIT_FLAGS) as LimitName[]

/** What was written behind the limit flags. */
export type WrittenLimits = { readonly [name in keyof Limits]?: string }
