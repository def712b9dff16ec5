import type { Effect } from './call.ts'
import type { Json, JsonObject } from './json.ts'
import type { Language } from './language.ts'
import type { Limits } from './limits.ts'
import type { Mark } from './mark.ts'
import type { RequestHead } from './request.ts'
import type { UserWords } from './words.ts'
import type { Worker } from './worker.ts'

/** A call waits for a person. It is never run without an approval of exactly this. */
export interface CallParked {
  readonly kind: 'call.parked'
  readonly call: string
  readonly name: string
  /** What the tool says of itself. */
  readonly description: string
  /** Why it does not run by itself, in a sentence. */
  readonly reason: string
  readonly effects: readonly Effect[]
  /** Every argument the tool would be given, those that the session sets included. */
  readonly arguments: JsonObject
  /** Each value of the arguments with where it came from, as it was found by search. */
  readonly origins: readonly { readonly argument: string; readonly value: Json; readonly origin: string }[]
  /** What the run had read by then. */
  readonly marks: readonly Mark[]
  /** What an approval is bound to; see run/approval.ts. */
  readonly digest: string
  /** ISO 8601, UTC. */
  readonly expiresAt: string
  /** True where the call had started when Tao was ended: a person is asked whether to do it again. */
  readonly outcomeUnknown?: true
}

/** Who answered, and from where: `terminal`, `command`, `library`. */
export interface ApprovalSource {
  readonly by: string
  readonly from: string
}

export interface ApprovalGiven extends ApprovalSource {
  readonly kind: 'approval.given'
  readonly call: string
  readonly digest: string
  /** The arguments as the person changed them, those that the session sets included. */
  readonly edited?: JsonObject
  /** Only who holds the key can make it. */
  readonly seal: string
}

export interface ApprovalDenied extends ApprovalSource {
  readonly kind: 'approval.denied'
  readonly call: string
  readonly digest: string
  readonly reason: string
  /** What the model is told. */
  readonly observation: string
}

/** Nobody answered in time: the call is not run. */
export interface ApprovalExpired extends ApprovalLapse {
  readonly kind: 'approval.expired'
}

/** The user said something new while the call waited: it is not run. */
export interface ApprovalSuperseded extends ApprovalLapse {
  readonly kind: 'approval.superseded'
}

interface ApprovalLapse {
  readonly call: string
  readonly digest: string
  /** What the model is told. */
  readonly observation: string
}

/** What the run has read from here on. */
export interface MarkAdded {
  readonly kind: 'mark.added'
  readonly mark: Mark
  /** The call whose result brought it, or `attachment` for what the user gave without having typed it. */
  readonly source: string
}

export interface UserSaid {
  readonly kind: 'user.said'
  readonly words: readonly UserWords[]
}

/** The run rests until somebody answers; it costs nothing meanwhile. */
export interface RunParked {
  readonly kind: 'run.parked'
  readonly reason: string
}

/** The run goes on, perhaps in another process, perhaps after an end that more budget or a new word undoes. */
export interface RunResumed {
  readonly kind: 'run.resumed'
  readonly reason: string
  /** All limits from here on, where they were changed. */
  readonly limits?: Limits
  /** What the model is told. */
  readonly observation?: string
  /** What is not as it was when the run started. With `head` and `system` the whole history is rendered anew. */
  readonly model?: string
  readonly protocol?: string
  readonly language?: Language
  readonly toolsHash?: string
  readonly policyHash?: string
  /** What the command was asked, with what was said since: the next one goes on from it. */
  readonly request?: JsonObject
  readonly head?: RequestHead
  readonly system?: string
  readonly worker?: Worker
}
