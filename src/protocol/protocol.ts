import type { ToolCall } from '../core/call.ts'
import type { Message } from '../core/message.ts'
import type { Reply, ToolDefinition, WireMessage } from '../core/request.ts'

/** How calls and claims are written in a reply, and observations in a request. Both directions live in one file. */
export interface Protocol {
  readonly name: string
  /** The tools the service itself is told about; a protocol in text names them in the prompt instead. */
  nativeTools(tools: readonly ToolDefinition[]): readonly ToolDefinition[]
  /** What the system message must say about the protocol; empty where the service does it. */
  instructions(tools: readonly ToolDefinition[]): string
  /** Texts at which the model must stop. */
  readonly stop: readonly string[]
  render(message: Message): WireMessage
  /** Reads a whole reply. Never throws. What it cannot read for certain it names; it never guesses. */
  parse(reply: Reply, context: ParseContext): ParsedReply
}

/** What reading a reply needs to know of the run. */
export interface ParseContext {
  readonly tools: readonly ToolDefinition[]
  /** Gives a call an id that is unique in the run: what the service called it, if anything, and its place in the reply. */
  readonly freshId: (given: string | undefined, index: number) => string
}

/** What a reply asks for: to call tools, to be done, or nothing that can be read. */
export type ParsedReply =
  | { readonly kind: 'calls'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly kind: 'claim'; readonly text: string; readonly answer: string }
  | {
      readonly kind: 'malformed'
      /** What stays in the history of what the model wrote; may be empty. */
      readonly text: string
      /** For people and the journal: one sentence. */
      readonly problem: string
      /** For the model: what was wrong and what to do. */
      readonly observation: string
    }
