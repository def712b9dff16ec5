import type {
  ApprovalDenied,
  ApprovalExpired,
  ApprovalGiven,
  ApprovalSuperseded,
  CallParked,
  MarkAdded,
  RunParked,
  RunResumed,
  UserSaid,
} from './approval.ts'
import type { Effect } from './call.ts'
import type { CheckFinished, ClaimAccepted, ClaimMade, ClaimRejected, EndChecked, StartChecked } from './claim.ts'
import type { ModelFailed, ModelReplied, ReplyMalformed, RequestSent } from './exchange.ts'
import type { JsonObject } from './json.ts'
import type { FactConfirmed, FactConflict, FactDeclaration } from './known-fact.ts'
import type { Language } from './language.ts'
import type { LimitNear, LimitReached, Limits } from './limits.ts'
import type { Outcome } from './outcome.ts'
import type { RequestHead } from './request.ts'
import type { FilesChanged } from './snapshot.ts'
import type { Usage } from './usage.ts'
import type { UserWords } from './words.ts'
import type { Worker } from './worker.ts'
import type { WorkspaceRecord } from './workspace-record.ts'

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
  | CallParked
  | ApprovalGiven
  | ApprovalDenied
  | ApprovalExpired
  | ApprovalSuperseded
  | CallStarted
  | FilesChanged
  | CallFinished
  | MarkAdded
  | FactConfirmed
  | FactConflict
  | StartChecked
  | EndChecked
  | LimitNear
  | LimitReached
  | ClaimMade
  | CheckFinished
  | ClaimAccepted
  | ClaimRejected
  | UserSaid
  | CancelRequested
  | RunParked
  | RunResumed
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
  readonly language?: Language
  /** Whose layout of messages is used in place of Tao's own. */
  readonly compat?: string
  readonly limits: Limits
  readonly system: string
  readonly head: RequestHead
  /** SHA-256 of the tool definitions. */
  readonly toolsHash: string
  readonly criteria: readonly string[]
  /** True when some criteria are checked before the first step too. */
  readonly checksFirst?: boolean
  /** True when every way out is judged: what holds is looked at before the run ends without an accepted claim. */
  readonly checksLast?: boolean
  readonly facts?: readonly FactDeclaration[]
  /** What the answer is made from: a text with `{{fact}}` in it. */
  readonly answer?: string
  readonly outOfScope?: readonly string[]
  /** True where a run that does not finish its task is handed over to a person. */
  readonly handOver?: boolean
  /** The user's words, with where they came from. */
  readonly words: readonly UserWords[]
  /** What the command was asked, so that another one can go on with it. */
  readonly request?: JsonObject
  /** SHA-256 of the policy; absent where there is none. */
  readonly policyHash?: string
  /** For a fork: the run it comes from, after which of its steps, and how many events are copies of that run's. */
  readonly parent?: { readonly run: string; readonly step: number; readonly events: number }
  readonly workspace?: WorkspaceRecord
  /** What commands run in: `bubblewrap`, or `external` where the user said that something else is the sandbox. */
  readonly sandbox?: string
  readonly worker?: Worker
  /** Hosts that commands may reach; absent when there are none. */
  readonly network?: readonly string[]
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
  | 'superseded'

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
  /** What the tool found, before it acted, at the place that the call may change. */
  readonly before?: string
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
  /** What models used that the tool itself asked. */
  readonly usage?: Usage
  /** True when a crash left it open whether the call took effect. */
  readonly outcomeUnknown?: boolean
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
