import type { ToolCall } from '../core/call.ts'
import type { Message } from '../core/message.ts'
import type { Reply, ToolDefinition, WireMessage } from '../core/request.ts'
import type { Prompts } from './prompts/prompts.ts'
import type { ReplyReader } from './reader.ts'

/**
 * How calls and claims are written in a reply, and observations in a request, in one language. Both directions live in one
 * file.
 */
export interface Protocol {
  readonly name: string
  /** What the model is told in the run's language, beside what is the protocol's own. */
  readonly prompts: Prompts
  /** Where a run is to look like another agent's: whose, and its own words. */
  readonly layout?: Layout
  /** The tools the service itself is told about; a protocol in text names them in the prompt instead. */
  nativeTools(tools: readonly ToolDefinition[]): readonly ToolDefinition[]
  /** What the system message says about how to write; empty where nothing needs to be said. */
  form(tools: readonly ToolDefinition[]): string
  /** The tools as the system message lists them; empty where the service is told of them. */
  listTools(tools: readonly ToolDefinition[]): string
  /** Texts at which the model must stop. */
  readonly stop: readonly string[]
  render(message: Message, tools: readonly ToolDefinition[]): WireMessage
  /** Reads one reply while it arrives: what to show of it, and where it stops to count. */
  openReader(): ReplyReader
  /** Loads what reading this reply needs, where few replies need it; to be awaited before `parse`. */
  prepare?(reply: Pick<Reply, 'calls' | 'text'>): Promise<void>
  /** Reads a whole reply. Never throws. What it cannot read for certain it names; it never guesses. */
  parse(reply: Reply, context: ParseContext): ParsedReply
}

/** How another agent lays out what it tells a model, in place of Tao's own way. */
export interface Layout {
  readonly name: string
  /** Template of the system message, with the placeholders of `run/prompt.ts`. */
  readonly system: string
  /** With the last request when the context is full. */
  readonly contextFull: string
}

/** What reading a reply needs to know of the run. */
export interface ParseContext {
  readonly tools: readonly ToolDefinition[]
  /** Gives a call an id that is unique in the run: what the service called it, if anything, and its place in the reply. */
  readonly freshId: (given: string | undefined, index: number) => string
}

/** What a reply asks for: to call tools, to be done, or nothing that can be read. */
export type ParsedReply =
  | {
      readonly kind: 'calls'
      readonly text: string
      readonly calls: readonly ToolCall[]
      /** The form in which calls were read out of a text that should hold none. */
      readonly dialect?: string
      /** That text, without what the model wrote as the result of a call. */
      readonly written?: string
    }
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
