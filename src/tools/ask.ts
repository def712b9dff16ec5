import type { Picture } from '../core/request.ts'
import { addUsage, NO_USAGE, type Usage } from '../core/usage.ts'

/** A second model: gives its reply to a system and a user message. Retries are its own matter. */
export type Ask = (messages: readonly AskMessage[], signal: AbortSignal) => Promise<AskReply>

export interface AskMessage {
  readonly role: 'system' | 'user'
  readonly text: string
  /** For a model that sees. */
  readonly pictures?: readonly Picture[]
}

export interface AskReply {
  readonly text: string
  readonly usage: Usage
}

/** A second model, and what it used so far: replies that were of no use count like any other. */
export interface Metered {
  readonly ask: Ask
  /** Nothing where it was not asked. */
  spent(): { readonly usage?: Usage }
}

export function metered(ask: Ask): Metered {
  let usage = NO_USAGE
  return {
    async ask(messages, signal) {
      const reply = await ask(messages, signal)
      usage = addUsage(usage, reply.usage)
      return reply
    },
    spent: () => (usage === NO_USAGE ? {} : { usage }),
  }
}
