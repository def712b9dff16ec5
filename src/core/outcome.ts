import type { FiredLimit } from './limits.ts'
import type { Usage } from './usage.ts'

/** How a run ended. There is no other way. */
export type Status = 'success' | 'answered' | 'failed' | 'blocked' | 'limit' | 'cancelled'

/** What one criterion showed, and on which state of the workspace. */
export interface Evidence {
  readonly criterion: string
  readonly holds: boolean
  /** What was seen: an exit code and the tail of an output, the paths that changed. */
  readonly detail: string
}

export interface Outcome {
  readonly status: Status
  /** One sentence. */
  readonly reason: string
  readonly answer?: string
  readonly evidence: readonly Evidence[]
  readonly usage: Usage
  readonly modelCalls: number
  readonly toolCalls: number
  readonly durationMs: number
  readonly limit?: FiredLimit
  /** Paths in the working copy that differ from the tree the run started with. */
  readonly changed: readonly string[]
  /** What commands made that cannot be delivered, and why: pipes, links that lead out, names that are not UTF-8. */
  readonly leftOut?: readonly { readonly path: string; readonly why: string }[]
  /** What commands ran in: `bubblewrap`, or `external` where the user said that something else is the sandbox. */
  readonly sandbox?: string
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
