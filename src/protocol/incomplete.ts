import type { Reply } from '../core/request.ts'
import type { Prompts } from './prompts/prompts.ts'
import type { ParsedReply } from './protocol.ts'

/** Nothing of a reply that did not arrive whole is executed, and its text is no answer. The same for every protocol. */
export function findIncomplete({ finish, text }: Reply, { incomplete }: Prompts): ParsedReply | undefined {
  if (finish !== 'length' && finish !== 'filtered' && finish !== 'broken') return undefined
  return { kind: 'malformed', text, problem: PROBLEMS[finish], observation: incomplete[finish] }
}

const PROBLEMS: Readonly<Record<keyof Prompts['incomplete'], string>> = {
  length: 'The reply was cut off at the token limit.',
  filtered: 'The service withheld the reply (content filter).',
  broken: 'The reply broke off on its way.',
}
