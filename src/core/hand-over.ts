import type { KnownFact } from './known-fact.ts'

/** What a person who takes a run over needs to know. Made of the record by code: no model summarises anything. */
export interface HandOver {
  /** Facts of the task that are settled, with the events that prove them. */
  readonly known: readonly KnownFact[]
  /** Every call of the run, in order, and what came of it. */
  readonly tried: readonly TriedCall[]
}

export interface TriedCall {
  readonly call: string
  readonly name: string
  /** As the model wrote them. */
  readonly arguments: string
  /** `refused`: it never ran, since it was denied by Tao or by a person, or was still waiting for one. */
  readonly came: 'result' | 'failure' | 'refused'
  /** What the model was shown, cut to 500 characters. */
  readonly said: string
  /** Sequence number of the event that holds the result. */
  readonly from?: number
}
