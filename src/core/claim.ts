import type { Evidence } from './outcome.ts'
import type { Usage } from './usage.ts'

/** What of the criteria held before the first step. */
export interface StartChecked {
  readonly kind: 'start.checked'
  readonly evidence: readonly Evidence[]
}

/**
 * What of the criteria holds as the run is about to end without an accepted claim, and with something done since they were last
 * checked.
 */
export interface EndChecked {
  readonly kind: 'end.checked'
  readonly evidence: readonly Evidence[]
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
  /** What a model that was asked for its opinion used. */
  readonly usage?: Usage
}

export interface ClaimAccepted {
  readonly kind: 'claim.accepted'
  readonly evidence: readonly Evidence[]
  /** The answer that was made from facts, in place of the model's. */
  readonly answer?: string
}

export interface ClaimRejected {
  readonly kind: 'claim.rejected'
  readonly evidence: readonly Evidence[]
  /** What the model is told. */
  readonly observation: string
}
