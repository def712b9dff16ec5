import type { ToolCall } from './call.ts'
import type { Finish } from './request.ts'
import type { Usage } from './usage.ts'

/*
 * The facts of one exchange with the model: what was asked, and what came back.
 */

export interface RequestSent {
  readonly kind: 'request.sent'
  readonly step: number
  readonly bytes: number
  /** How many leading bytes are those of the request before. */
  readonly prefixBytes: number
  readonly sha256: string
}

export interface ModelReplied {
  readonly kind: 'model.replied'
  readonly step: number
  readonly text: string
  readonly reasoning?: string
  /** The calls that entered the history; a malformed reply has none. */
  readonly calls: readonly ToolCall[]
  /** Where the service gave the calls as text: the form in which they were read out of it. */
  readonly dialect?: string
  /** With `dialect`: the text as it came. */
  readonly raw?: string
  readonly finish: Finish
  readonly usage?: Usage
  readonly firstByteMs: number
  readonly totalMs: number
}

/** The model could not be asked: every retry was used up, or the service refused for good. */
export interface ModelFailed {
  readonly kind: 'model.failed'
  readonly step: number
  readonly reason: string
  readonly fix?: string
  readonly status?: number
  /** The service's own words, as it sent them. */
  readonly body?: string
}

export interface ReplyMalformed {
  readonly kind: 'reply.malformed'
  readonly step: number
  readonly problem: string
  /** What the service sent, where the reply's text does not hold it. */
  readonly raw?: string
  /** What the model is told. */
  readonly observation: string
}
