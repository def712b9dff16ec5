import type { JsonObject } from '../core/json.ts'
import type { KnownFact } from '../core/known-fact.ts'
import type { Doubt } from '../core/outcome.ts'
import type { Usage } from '../core/usage.ts'
import type { Workspace } from '../sandbox/workspace.ts'

/** One thing that must hold before a claim to be done is accepted. Checked by code, never by the model's word. */
export interface Criterion {
  /** As people read it: `command: npm test`. Unique in a task. */
  readonly name: string
  /** Looks at the files only, so that it can be checked before the first step too. One that holds already is reported. */
  readonly early?: boolean
  /** What it needs beside a look: a command takes time, a model costs money. Default: nothing. */
  readonly asks?: 'command' | 'model'
  /** With `early`: the run does not start unless it fails first. */
  readonly mustFailFirst?: boolean
  /** May throw: then it does not hold, and the message is the detail. */
  check(delivery: Delivery): Promise<Finding>
}

/** What the model wants to deliver, and how it came there. */
export interface Delivery {
  readonly answer: string
  readonly record: RunRecord
  readonly workspace?: Workspace
  readonly signal: AbortSignal
}

/** What has happened in the run. */
export interface RunRecord {
  /** Everything the user said, the task first. */
  readonly words: readonly string[]
  /** The calls that ran and have ended, in their order. */
  readonly calls: readonly RecordedCall[]
  readonly facts: readonly KnownFact[]
  /** Sequence number of the last event that may have changed something; -1 for none. */
  readonly lastChange: number
}

export interface RecordedCall {
  readonly id: string
  readonly step: number
  /** Sequence number of its `call.finished`. */
  readonly seq: number
  readonly name: string
  /** Undefined when they are no JSON object. */
  readonly arguments: JsonObject | undefined
  readonly ok: boolean
  readonly exit?: number
  /** The text the model was shown. */
  readonly observation: string
}

export interface Finding {
  readonly holds: boolean
  /** What was seen; shown to the model when it does not hold. */
  readonly detail: string
  readonly doubt?: Doubt
  /** What a model that was asked used. */
  readonly usage?: Usage
}
