import type { HandOver } from './hand-over.ts'
import type { KnownFact } from './known-fact.ts'
import type { FiredLimit } from './limits.ts'
import type { Mark } from './mark.ts'
import type { Usage } from './usage.ts'

/** How a run ended. There is no other way. */
export type Status = 'success' | 'answered' | 'failed' | 'blocked' | 'limit' | 'cancelled'

/** What one criterion showed, and on which state of the workspace. */
export interface Evidence {
  readonly criterion: string
  readonly holds: boolean
  /** What was seen: an exit code and the tail of an output, the paths that changed. */
  readonly detail: string
  readonly doubt?: Doubt
  /** True when it held before the first step as well: it says little about what the run did. */
  readonly heldBefore?: boolean
}

/**
 * Why evidence settles nothing. `opinion`: it is a model's judgement. Of what does not hold: `error`, it could not be checked;
 * `timeout`, not in time; `stale`, it was so, and something was changed since.
 */
export type Doubt = 'opinion' | 'error' | 'timeout' | 'stale'

/** A sentence of an answer, and the events whose results have what it tells. */
export interface Supported {
  readonly sentence: string
  /** Sequence numbers, in their order. */
  readonly from: readonly number[]
}

export interface Outcome {
  readonly status: Status
  /** One sentence. */
  readonly reason: string
  readonly answer?: string
  readonly evidence: readonly Evidence[]
  /** What is known of the facts the task declared, each with the event that proves it. */
  readonly facts?: readonly KnownFact[]
  /** The sentences of the model's answer that can be linked to results; absent where the answer was made from facts. */
  readonly support?: readonly Supported[]
  readonly usage: Usage
  readonly modelCalls: number
  readonly toolCalls: number
  readonly durationMs: number
  readonly limit?: FiredLimit
  /** What the run has read, and so what its answer may carry. */
  readonly marks?: readonly Mark[]
  /** Paths in the working copy that differ from the tree the run started with. */
  readonly changed: readonly string[]
  /** What commands made that cannot be delivered, and why: pipes, links that lead out, names that are not UTF-8. */
  readonly leftOut?: readonly { readonly path: string; readonly why: string }[]
  /** Why `changed` is empty although files may have changed. */
  readonly unlisted?: string
  /** What commands ran in: `bubblewrap`, or `external` where the user said that something else is the sandbox. */
  readonly sandbox?: string
  /** For the person who takes over a run that did not finish its task; only where the task asked for it. */
  readonly handOver?: HandOver
  /** What a person can do about it: a line to install something, a key to set. */
  readonly fix?: string
}

/** Exit codes of the command, by status. */
export const EXIT_CODES: Readonly<Record<Status, number>> = {
  success: 0,
  answered: 0,
  failed: 1,
  blocked: 3,
  limit: 4,
  cancelled: 130,
}
