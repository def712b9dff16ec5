import type { JsonObject } from '../core/json.ts'
import type { RequestHead } from '../core/request.ts'
import type { Price } from './model.ts'

/** What one service does differently from the others that speak chat/completions. Data, and small pure functions. */
export interface Profile {
  /** The part before the slash in a model name. */
  readonly provider: string
  /** Undefined where only the user knows it. */
  readonly baseUrl: string | undefined
  /** Name of the environment variable that usually holds the key. */
  readonly keyVariable: string
  /** False for servers that work without a key. */
  readonly keyRequired: boolean
  /** Undefined where we are not sure: then a cost is *unknown*, never a guess. */
  readonly price?: (model: string) => Price | undefined
  /** Fields of the body beyond the common ones, put before `stop` and `tools`. */
  readonly extras: (head: RequestHead) => JsonObject
  /** What this model refuses of the common fields. */
  readonly refuses: (model: string) => Refusals
  /** True where assistant turns with calls must bring back the reasoning that came with them. */
  readonly returnsReasoning: (head: RequestHead) => boolean
}

export interface Refusals {
  /** It wants `max_completion_tokens` in place of `max_tokens`. */
  readonly maxTokens?: boolean
  /** And the other numbers that say how a reply is drawn. */
  readonly temperature?: boolean
  readonly stop?: boolean
}

/** What is said to a server nobody knows anything about: nothing but the common fields. */
export const PLAIN: Omit<Profile, 'provider' | 'baseUrl' | 'keyVariable'> = {
  keyRequired: false,
  extras: () => ({}),
  refuses: () => ({}),
  returnsReasoning: () => false,
}
