import { CLIENTS } from './made-up-data.ts'
import { tenge } from './tools.ts'

/** Everything that the bank knows of the other clients, as a tool would tell it. What both have in common is left out. */
export function foreignWords(client: string): string[] {
  const own = new Set(CLIENTS.filter(({ id }) => id === client).flatMap(wordsOf))
  const others = CLIENTS.filter(({ id }) => id !== client).flatMap(wordsOf)
  return [...new Set(others)].filter((word) => !own.has(word))
}

const wordsOf = ({ name, account, cards, payees, transactions }: (typeof CLIENTS)[number]): string[] => [
  ...[name, account, ...cards],
  ...payees.flatMap((payee) => [payee.id, payee.name]),
  ...transactions.flatMap(({ id, amount, memo = '' }) => [id, tenge(amount), ...(memo === '' ? [] : [memo])]),
]
