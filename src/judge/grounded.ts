import type { Criterion, Delivery, Finding } from './criterion.ts'
import { type Claimed, groundingOf } from './grounded/claims.ts'

const MOST_SHOWN = 20

/**
 * Holds when every number, date, identifier, quotation and link of the answer stands in what a tool returned or in the user's
 * words. A number may be written in another form and rounded; one that was calculated must be the result of a call. What it
 * sees and what it cannot see: docs/judge.md.
 */
export function grounded(): Criterion {
  return {
    name: 'grounded: every number, date, identifier, quotation and link was observed',
    check: async (delivery) =>
      delivery.answer.trim() === ''
        ? { holds: false, detail: 'There is no answer.' }
        : judge(groundingOf(delivery.answer, sourcesOf(delivery))),
  }
}

const sourcesOf = ({ record }: Delivery): readonly string[] => [
  ...record.words,
  ...record.calls.map(({ observation }) => observation),
]

function judge(claims: readonly Claimed[]): Finding {
  const open = claims.filter(({ isGrounded }) => !isGrounded)
  if (open.length === 0) return { holds: true, detail: `${claims.length} found, each of them observed` }
  const more = open.length - MOST_SHOWN
  const lines = open
    .slice(0, MOST_SHOWN)
    .map(({ kind, text }) => `${kind} ${JSON.stringify(text)}: in no observation and not in the task`)
  return { holds: false, detail: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n') }
}
