import type { ToolCall } from './call.ts'

/** One entry of the history. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ObservationMessage

export interface SystemMessage {
  readonly role: 'system'
  readonly text: string
}

export interface UserMessage {
  readonly role: 'user'
  readonly text: string
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly text: string
  readonly reasoning?: string
  readonly calls: readonly ToolCall[]
  /** The protocol it was written in, where the run has gone on in another since. */
  readonly writtenIn?: string
}

/** Written by Tao only. With a call: its one answer. Without: a parse failure, a rejection or a warning. */
export interface ObservationMessage {
  readonly role: 'observation'
  readonly text: string
  readonly call?: ToolCall
}
