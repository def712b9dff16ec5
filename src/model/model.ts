import type { Delta, Reply, Request, RequestHead, ToolChoice, WireMessage } from '../core/request.ts'

/** Something that can be asked. One call of `ask` is one attempt; retrying is a model around a model. */
export interface Model {
  /** `provider/model`. */
  readonly name: string
  /** Undefined where it is not known: then a cost is not known either. */
  readonly price?: Price
  /** Starts the wire form of a conversation. Pure: no network, and the same messages give the same bytes. */
  openBody(head: RequestHead): RequestBody
  /**
   * Sends the request's bytes and reads one reply. Rejects with a `ModelError`, or with the signal's reason when it is
   * aborted. Streams and whole replies give the same `Reply`.
   */
  ask(request: Request, options: AskOptions): Promise<Reply>
}

export interface AskOptions {
  readonly signal: AbortSignal
  readonly onDelta?: (delta: Delta) => void
  /** Told before each wait for another attempt. */
  readonly onRetry?: (retry: Retry) => void
}

export interface Retry {
  readonly attempt: number
  readonly waitMs: number
  readonly reason: string
}

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly cachedInput: number
  readonly output: number
}

/** The bytes of a conversation. Each message is encoded once; a request is what was there before and what came since. */
export interface RequestBody {
  append(message: WireMessage): void
  /** A view of the request so far: valid until the next `append` or `take`. */
  take(toolChoice: ToolChoice): TakenBody
}

export interface TakenBody {
  readonly bytes: Uint8Array
  /** How many leading bytes are those of the request taken before. */
  readonly prefixBytes: number
  readonly sha256: string
}

/**
 * `refused`: asking the same again gives the same (bad key, bad request). `overloaded`: 429 or 5xx. `unreachable`: no
 * connection, or it broke. `timeout`: a time limit of ours. `unreadable`: an answer that is no reply. `empty`: a reply
 * that says nothing, where that counts as trouble. `script`: a scripted model was asked too often or told something it does
 * not know.
 */
export type ModelErrorKind = 'refused' | 'overloaded' | 'unreachable' | 'timeout' | 'unreadable' | 'empty' | 'script'

export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly kind: ModelErrorKind
  /** HTTP status, where there was one. */
  readonly status: number | undefined
  /** The service's own words, as it sent them. */
  readonly body: string | undefined
  readonly retryAfterMs: number | undefined
  readonly fix: string | undefined

  constructor(kind: ModelErrorKind, message: string, details: ModelErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.status = details.status
    this.body = details.body
    this.retryAfterMs = details.retryAfterMs
    this.fix = details.fix
  }
}

export interface ModelErrorDetails {
  readonly status?: number
  readonly body?: string
  readonly retryAfterMs?: number
  readonly fix?: string
  readonly cause?: unknown
}

/** Only these are worth another attempt. */
export const isRetryable = (error: ModelError): boolean =>
  error.kind === 'overloaded' || error.kind === 'unreachable' || error.kind === 'timeout' || error.kind === 'empty'
