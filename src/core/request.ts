import type { ToolCall } from './call.ts'
import type { JsonObject } from './json.ts'
import type { Usage } from './usage.ts'

/** A tool as a model is told about it. `parameters` is a JSON Schema of an object. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

/** A message in the shape every provider knows. Protocols turn history into these; model adapters turn these into bytes. */
export type WireMessage =
  | { readonly role: 'system' | 'user'; readonly text: string; readonly pictures?: readonly Picture[] }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly reasoning?: string
      readonly calls: readonly ToolCall[]
    }
  | { readonly role: 'tool'; readonly text: string; readonly call: ToolCall }

/** For models that see. Only second models are shown any: no history holds one. */
export interface Picture {
  /** Such as `image/png`. */
  readonly mediaType: string
  readonly base64: string
}

/** What stays the same in all requests of a run. */
export interface RequestHead {
  readonly tools: readonly ToolDefinition[]
  readonly stop: readonly string[]
  readonly temperature: number
  /** Left to the service when absent, like the penalty. */
  readonly topP?: number
  readonly presencePenalty?: number
  /** Tokens the reply may have. */
  readonly maxOutputTokens: number
  readonly stream: boolean
  /** Ask the model to reason before it answers, where the service has such a switch. */
  readonly thinking: boolean
}

export type ToolChoice = 'auto' | 'none'

/** One request, ready to send. `bytes` is a view: it is valid until the next message is appended. */
export interface Request {
  readonly step: number
  readonly head: RequestHead
  readonly messages: readonly WireMessage[]
  readonly toolChoice: ToolChoice
  readonly bytes: Uint8Array
  /** How many leading bytes are those of the request before. */
  readonly prefixBytes: number
  readonly sha256: string
}

/** Why the model stopped. `broken`: the reply did not arrive whole. */
export type Finish = 'stop' | 'calls' | 'length' | 'filtered' | 'broken' | 'other'

/** A call as a service sent it. */
export interface RawCall {
  readonly id?: string
  readonly name: string
  readonly arguments: string
}

/** A reply as a service sent it: nothing decided, nothing repaired. */
export interface Reply {
  readonly text: string
  readonly reasoning?: string
  readonly calls: readonly RawCall[]
  readonly finish: Finish
  /** Undefined where the service did not say. */
  readonly usage?: Usage
  readonly firstByteMs: number
  readonly totalMs: number
}

/**
 * A piece of a reply on its way. Deltas are shown, never journaled: the whole reply is. A service sends text, reasoning and
 * calls; a protocol in text finds thoughts (also `reasoning`), calls and the answer in the text. An answer that is shown is
 * the model's: whether it is accepted is decided when the reply is whole.
 */
export interface Delta {
  readonly kind: 'text' | 'reasoning' | 'call' | 'answer'
  readonly text: string
}
