/** Every bound of a run, in one object. Reaching one ends the run, and the outcome names it. */
export interface Limits {
  /** Requests to the model. */
  readonly modelCalls: number
  /** Calls the model may ask for, refused and failed ones included. */
  readonly toolCalls: number
  /** Milliseconds of work; time spent waiting for a person does not count. */
  readonly wallTime: number
  /** Tokens over all model calls, in and out. */
  readonly tokens: number
  /** Tokens in one request. */
  readonly contextTokens: number
  /** US dollars over all model calls; undefined for no bound. A bound needs a model with a known price. */
  readonly cost?: number
  /** How often the same call with the same arguments may give the same result. */
  readonly repeats: number
  /** Replies in a row that could not be read. */
  readonly malformedReplies: number
  /** Claims to be done that the judge sent back. */
  readonly rejectedClaims: number
  /** Calls to what the run may not have; with 0 the first ends the run. */
  readonly refusals: number
}

export type LimitName = keyof Limits

export const DEFAULT_LIMITS: Limits = {
  modelCalls: 50,
  toolCalls: 200,
  wallTime: 30 * 60_000,
  tokens: 2_000_000,
  contextTokens: 120_000,
  repeats: 5,
  malformedReplies: 3,
  rejectedClaims: 4,
  refusals: 10,
}

/** A limit that fired: what was counted, and the bound it met. */
export interface FiredLimit {
  readonly limit: LimitName
  readonly value: number
  readonly bound: number
}

/** A warning before a limit fires. With an observation, the model is told too. */
export interface LimitNear extends FiredLimit {
  readonly kind: 'limit.near'
  readonly observation?: string
}

/** A limit fired. With an observation there is budget left: the model is asked for a last answer, without tools. */
export interface LimitReached extends FiredLimit {
  readonly kind: 'limit.reached'
  readonly observation?: string
}
