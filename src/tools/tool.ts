import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Effect, ToolResult } from '../core/call.ts'
import type { JsonObject } from '../core/json.ts'
import type { ToolDefinition } from '../core/request.ts'

/** Something a model may ask to be done. */
export interface Tool {
  readonly definition: ToolDefinition
  readonly effects: readonly Effect[]
  /** Milliseconds one call may take. */
  readonly timeLimit: number
  /** Checks arguments against the schema. Unknown names are refused. */
  validate(input: JsonObject): Promise<Validation>
  /**
   * True when running it a second time after a crash does no harm, or is told apart by its idempotency key. Default: a call
   * that had started is never repeated, unless it only reads.
   */
  readonly repeatable?: boolean
  /**
   * What the place that a call would change looks like: the hash of a file, the version of a row. It is recorded with the intent.
   * After a crash, the same again says that the call did not take effect, so it is run, but for what is irreversible, about which
   * a person is asked; another says that it did. Undefined where that cannot be told. A service that may still be at work on a
   * call needs the idempotency key instead.
   */
  fingerprint?(input: unknown, context: ToolContext): Promise<string | undefined>
  /** Finds out after a crash whether a call took effect: its result, or undefined when that cannot be told. */
  probe?(input: unknown, context: ToolContext): Promise<ToolResult | undefined>
  /** Does it. `input` is what `validate` gave. May throw: the message becomes the observation. */
  execute(input: unknown, context: ToolContext): Promise<ToolResult>
}

export interface ToolContext {
  readonly call: string
  /** On whose behalf: from the session, never from the model. */
  readonly client: string
  /** The same each time this call is run, and that of no other call. */
  readonly idempotencyKey: string
  /** Aborted when the run is cancelled or the call's time is up. */
  readonly signal: AbortSignal
  /**
   * Whether the policy would let the model make this call with other arguments without asking anybody: for what a call is led
   * to that the model did not name. Absent where the run has no policy.
   */
  readonly permits?: (args: JsonObject) => Promise<boolean>
}

export type Validation =
  | { readonly ok: true; readonly input: unknown }
  /** One sentence for each field that is wrong: its name, what is expected, what came. */
  | { readonly ok: false; readonly problems: readonly string[] }

/** How a tool is declared: one schema checks the arguments, describes them to the model and types them. */
export interface ToolOptions<S extends StandardSchemaV1> {
  readonly name: string
  /** For the model: what it does, when to use it. */
  readonly description: string
  readonly input: S
  /** JSON Schema of the arguments, for a schema library that cannot make one itself. */
  readonly parameters?: JsonObject
  /** Default: `write`. Say `read` only of what changes nothing: such calls run side by side. */
  readonly effects?: Effect | readonly Effect[]
  /** Milliseconds. Default: two minutes. */
  readonly timeLimit?: number
  /** As a `Tool` says it. */
  readonly repeatable?: boolean
  /** As a `Tool` has it. */
  readonly fingerprint?: (
    input: StandardSchemaV1.InferOutput<S>,
    context: ToolContext,
  ) => string | undefined | Promise<string | undefined>
  /** As a `Tool` has it; gives what `run` may give, or undefined when it cannot be told whether the call took effect. */
  readonly probe?: (input: StandardSchemaV1.InferOutput<S>, context: ToolContext) => unknown
  /** Gives a text, any value that can be shown as JSON, or a whole `ToolResult`. */
  readonly run: (input: StandardSchemaV1.InferOutput<S>, context: ToolContext) => unknown
}
