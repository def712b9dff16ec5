import type { Workspace } from '../sandbox/workspace.ts'

/** One thing that must hold before a claim to be done is accepted. Checked by code, never by the model's word. */
export interface Criterion {
  /** As people read it: `command: npm test`. Unique in a task. */
  readonly name: string
  /** May throw: then it does not hold, and the message is the detail. */
  check(delivery: Delivery): Promise<Finding>
}

/** What the model wants to deliver. */
export interface Delivery {
  readonly answer: string
  readonly workspace?: Workspace
  readonly signal: AbortSignal
}

export interface Finding {
  readonly holds: boolean
  /** What was seen; shown to the model when it does not hold. */
  readonly detail: string
}
