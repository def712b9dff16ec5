import type { JsonObject } from './json.ts'

/** What a fact may be. */
export type FactValue = string | number | boolean

/** Something the task wants to know, and which observations establish it. */
export interface FactDeclaration {
  readonly name: string
  readonly from: readonly FactSource[]
}

/** A call whose result holds the value: at `path` of a JSON result, or where `pattern` finds it in a text. */
export interface FactSource {
  readonly tool: string
  /** Arguments the call must have had: a text is that text, `/expression/` a pattern, all else the value itself. */
  readonly with?: JsonObject
  /** `/expression/`: its group `value`, else its first group, else all that it matched. */
  readonly pattern?: string
  /** Such as `items[0].id`. */
  readonly path?: string
}

/** A value and the observation that established it. */
export interface KnownFact {
  readonly fact: string
  readonly value: FactValue
  readonly call: string
  /** Sequence number of the event `call.finished` that holds the observation. */
  readonly from: number
  /** The tool and its arguments. A newer result of the same source takes the place of the older one. */
  readonly source: string
}

export interface FactConfirmed extends KnownFact {
  readonly kind: 'fact.confirmed'
  /** What the model is told; absent when it knows already. */
  readonly observation?: string
}

/** Two sources disagree. The fact is not known until they are observed again and agree. */
export interface FactConflict extends KnownFact {
  readonly kind: 'fact.conflict'
  readonly against: KnownFact
  /** What the model is told. */
  readonly observation: string
}
