import type { Effect, ToolCall } from './call.ts'
import type { FiredLimit, Limits } from './limits.ts'
import type { Evidence, Outcome } from './outcome.ts'
import type { Finish, RequestHead } from './request.ts'
import type { Usage } from './usage.ts'

/** The version of what stands in a journal. A reader refuses a version it does not know. */
export const FORMAT_VERSION = 1

/** One fact of a run. Facts are appended, never changed; folding them gives the state of the run. */
export type Event = Stamp & Fact

/** Where and when a fact was recorded. `seq` counts from 0 without gaps. */
export interface Stamp {
  readonly run: string
  readonly seq: number
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string
}

export type Fact =
  | RunStarted
  | RequestSent
  | ModelReplied
  | ModelFailed
  | ReplyMalformed
  | CallCleared
  | CallRefused
  | CallStarted
  | CallFinished
  | LimitNear
  | LimitReached
  | ClaimMade
  | CheckFinished
  | ClaimAccepted
  | ClaimRejected
  | CancelRequested
  | RunBlocked
  | RunEnded

export type FactOf<K extends Fact['kind']> = Extract<Fact, { kind: K }>

export interface RunStarted {
  readonly kind: 'run.started'
  readonly formatVersion: number
  readonly task: string
  readonly client: string
  readonly model: string
  readonly protocol: string
  readonly limits: Limits
  readonly system: string
  readonly head: RequestHead
  /** SHA-256 of the tool definitions. */
  readonly toolsHash: string
  readonly criteria: readonly string[]
  /** The user's words, with where they came from. */
  readonly words: readonly { readonly kind: 'typed'; readonly text: string }[]
  readonly workspace?: WorkspaceRecord
  /** What commands run in: `bubblewrap`, or `external` where the user said that something else is the sandbox. */
  readonly sandbox?: string
  /** Hosts that commands may reach; absent when there are none. */
  readonly network?: readonly string[]
}

/** Where the working copy lies, so that other commands find it. Paths are absolute, protected ones relative. */
export interface WorkspaceRecord {
  readonly source: string
  readonly copy: string
  readonly protect: readonly string[]
  readonly ignore: readonly string[]
  /** Entries of the source that were not copied, and why. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[]
}

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

export interface CallCleared {
  readonly kind: 'call.cleared'
  readonly call: string
  readonly name: string
  readonly effects: readonly Effect[]
  /** What was read differently from how it was written, as the schema wants it; a sentence each. */
  readonly coerced?: readonly string[]
}

export type RefusalCause =
  | 'unknown-tool'
  | 'invalid-arguments'
  | 'repeated'
  | 'not-permitted'
  | 'limit'
  | 'cancelled'
  | 'blocked'

export interface CallRefused {
  readonly kind: 'call.refused'
  readonly call: string
  readonly name: string
  readonly cause: RefusalCause
  /** What the model is told. */
  readonly observation: string
}

export interface CallStarted {
  readonly kind: 'call.started'
  readonly call: string
  readonly name: string
}

export interface CallFinished {
  readonly kind: 'call.finished'
  readonly call: string
  readonly name: string
  readonly ok: boolean
  /** The text the model is shown. */
  readonly observation: string
  readonly truncated: boolean
  readonly durationMs: number
  /** Size of the whole result, UTF-8. */
  readonly bytes: number
  readonly exit?: number
  /** Where the whole result lies when it was cut: its SHA-256 in the content store. */
  readonly whole?: string
  readonly files?: readonly string[]
  /** True when a crash left it open whether the call took effect. */
  readonly outcomeUnknown?: boolean
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

export interface ClaimMade {
  readonly kind: 'claim.made'
  readonly answer: string
}

export interface CheckFinished extends Evidence {
  readonly kind: 'check.finished'
  /** SHA-256 over the workspace that was checked. */
  readonly tree?: string
  /** Sequence number of the last change before the check; -1 for none. */
  readonly lastChange: number
}

export interface ClaimAccepted {
  readonly kind: 'claim.accepted'
  readonly evidence: readonly Evidence[]
}

export interface ClaimRejected {
  readonly kind: 'claim.rejected'
  readonly evidence: readonly Evidence[]
  /** What the model is told. */
  readonly observation: string
}

export interface CancelRequested {
  readonly kind: 'cancel.requested'
  readonly by: string
}

/** The run cannot go on without something it does not have. */
export interface RunBlocked {
  readonly kind: 'run.blocked'
  readonly reason: string
  readonly fix?: string
}

export interface RunEnded {
  readonly kind: 'run.ended'
  readonly outcome: Outcome
}

/** An event as one line of JSON, without the line end. */
export const eventLine = (event: Event): string => JSON.stringify(event)
