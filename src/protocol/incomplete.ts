import type { Reply } from '../core/request.ts'
import type { ParsedReply } from './protocol.ts'

/** Nothing of a reply that did not arrive whole is executed, and its text is no answer. The same for every protocol. */
export function findIncomplete(reply: Reply): ParsedReply | undefined {
  const incomplete = INCOMPLETE[reply.finish]
  return incomplete === undefined ? undefined : { kind: 'malformed', text: reply.text, ...incomplete }
}

const INCOMPLETE: Readonly<Partial<Record<Reply['finish'], { problem: string; observation: string }>>> = {
  length: {
    problem: 'The reply was cut off at the token limit.',
    observation:
      'Your last reply was cut off at the token limit, so nothing in it was executed. ' +
      'Do it in smaller steps: shorter text, less in one call.',
  },
  filtered: {
    problem: 'The service withheld the reply (content filter).',
    observation: 'Your last reply was withheld by the service, so nothing in it was executed. Go on differently.',
  },
  broken: {
    problem: 'The reply broke off on its way.',
    observation: 'Your last reply broke off on its way, so nothing in it was executed. Write it again.',
  },
}
