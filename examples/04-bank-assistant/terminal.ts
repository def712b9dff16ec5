import { createInterface } from 'node:readline/promises'
import type { Approve, CallParked, Json } from '../../src/index.ts' // in a project of your own: 'tao-agent'
import type { ClientBank } from './bank.ts'
import { tenge } from './tools.ts'

/** Asks at the terminal about one call at a time. Where there is none, nobody approves anything. */
export const askAtTerminal =
  (own: ClientBank): Approve =>
  async (card, signal) => {
    console.log(cardText(card, own))
    if (!process.stdin.isTTY) return { decision: 'deny', by: 'nobody', reason: 'Nobody is at the terminal.' }
    using terminal = createInterface({ input: process.stdin, output: process.stdout })
    const said = await terminal.question('    Do it? y/N: ', { signal })
    return /^y(es)?$/i.test(said.trim()) ? { decision: 'approve', by: 'client' } : { decision: 'deny', by: 'client' }
  }

/** Every argument in full, with where it came from and what it stands for. */
function cardText({ name, reason, origins }: CallParked, own: ClientBank): string {
  const rows = origins.map(({ argument, value, origin }) => {
    return `      ${visible(`${argument} = ${JSON.stringify(value)}${meaningOf(value, own)}`)} (from: ${origin})`
  })
  return [`    May ${name} be done? ${visible(reason)}`, ...rows].join('\n')
}

/** A person knows a payee by name, and money in tenge. */
function meaningOf(value: Json, own: ClientBank): string {
  if (typeof value === 'number') return `, which is ${tenge(value)}`
  const payee = typeof value === 'string' ? own.handles('payee').find(value) : undefined
  return payee === undefined ? '' : `, which is ${own.payeeName(payee)}`
}

/** What a terminal would act on, hide or reorder is written out. */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
