import type { Json } from './json.ts'
import type { Usage } from './usage.ts'

/** What a tool does to the world. A call with only `read` effects may run beside others and may be repeated. */
export type Effect = 'read' | 'write' | 'egress' | 'irreversible'

/** The rungs of the ladder on which JSON in text is read, the strictest first. */
export type Rung = 'strict' | 'cut' | 'escape' | 'json5' | 'repair'

/** A parsed wish of the model. Nothing has been checked yet. */
export interface ToolCall {
  /** Unique within the run. The provider's own id where that is unique, otherwise made by us. */
  readonly id: string
  readonly name: string
  /** The bytes the model wrote, kept as they came: they go back to it unchanged. */
  readonly arguments: string
  /** Why the arguments cannot be read as a JSON object. Such a call is answered, never run. */
  readonly problem?: string
  /** How the text of the call had to be read; absent where it is strict JSON, or where the service sent it as a call. */
  readonly rung?: Exclude<Rung, 'strict'>
  /** True where the values came as text without a type, as in tags: they are read as the tool's schema says. */
  readonly untyped?: true
  /** The id of an earlier call of the same reply that this one repeats to the letter, id included. It is not run again. */
  readonly repeatOf?: string
}

/** What a tool returned. `ok` is about the tool: a command that ran and found failing tests is ok. */
export interface ToolResult {
  readonly ok: boolean
  /** What the model is shown; cut to size before it is. */
  readonly text: string
  readonly exit?: number
  /** Paths in the workspace that the call changed. */
  readonly files?: readonly string[]
  /** True when the tool itself had to leave something out. */
  readonly truncated?: boolean
  /** For programs that use Tao as a library: the value behind the text. */
  readonly value?: Json
  /** What models used that the tool itself asked. It counts towards the run's limits of tokens and cost. */
  readonly usage?: Usage
}

export const isReadOnly = (effects: readonly Effect[]): boolean => effects.every((effect) => effect === 'read')
