import type { SpokenCall } from '../spoken-call.ts'

/** How one family of models writes calls when nobody turns them into calls of the service. */
export interface Dialect {
  readonly name: string
  /**
   * The blocks of calls in a text, in order; none where the text is not in this dialect. A block that was meant as a call
   * and cannot be read for certain is a call with a `problem`. Never throws; its time grows with the length of the text only.
   */
  read(text: string, known: KnownTool): readonly Block[]
}

/** Whether a tool of this name was offered. */
export type KnownTool = (name: string) => boolean

/** A piece of the text that holds calls and their marks; what stands between blocks is text. */
export interface Block {
  readonly start: number
  /** Behind its last mark. */
  readonly end: number
  readonly calls: readonly DialectCall[]
}

export interface DialectCall extends SpokenCall {
  /** The id that the model gave the call. */
  readonly givenId?: string
}
