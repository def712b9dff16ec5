import { z } from 'zod'
import { type Tool, type ToolResult, tool } from '../../src/index.ts' // in a project of your own: 'tao-agent'
import type { Bank, ClientBank } from './bank.ts'

/** Set by the session, as policies/bank.yaml says; the model is not told of it. */
const client_id = z.string()

/**
 * The five tools, for all sessions of the bank. Where a model names an object of the client, it says a handle such as
 * `card:1`. What is no handle of the client's gets one answer, whoever it belongs to, and the answer does not repeat it.
 */
export const bankTools = (bank: Bank): readonly Tool[] => [
  tool({
    name: 'txn_search',
    description: 'Lists the transactions of the client between two days, both included.',
    input: z.object({
      client_id,
      from: z.string().describe('YYYY-MM-DD'),
      to: z.string().describe('YYYY-MM-DD'),
    }),
    effects: 'read',
    run: ({ client_id: client, from, to }) => ({ transactions: listTransactions(bank.open(client), from, to) }),
  }),
  tool({
    name: 'tariff_lookup',
    description:
      'Says what the bank charges under a code, such as one of a transaction, and what that comes to for an amount.',
    input: z.object({ code: z.string(), amount: z.number().nonnegative().optional().describe('In tenge.') }),
    effects: 'read',
    run: ({ code, amount }) => {
      const tariff = bank.tariff(code)
      if (tariff === undefined) return refuse('There is no such code.')
      const { minimum, percent } = tariff
      const share = Math.round((amount ?? 0) * percent) // per cent of tenge are hundredths of a tenge: tiyn
      const charged = amount === undefined ? {} : { share: tenge(share), charged: tenge(Math.max(share, minimum)) }
      return { ...tariff, minimum: tenge(minimum), ...charged }
    },
  }),
  tool({
    name: 'card_block',
    description: 'Blocks a card of the client.',
    input: z.object({ client_id, card: z.string().describe('Such as card:1.') }),
    effects: 'write',
    run: ({ client_id: client, card }) => {
      const own = bank.open(client)
      const found = own.handles('card').find(card)
      if (found === undefined) return refuse('There is no such card.')
      own.blockCard(found)
      return `Blocked: ${card}.`
    },
  }),
  once(
    tool({
      name: 'dispute_open',
      description: 'Opens a dispute about a transaction: the bank asks the merchant for the money back.',
      input: z.object({ client_id, transaction: z.string().describe('Such as transaction:7.'), reason: z.string() }),
      effects: 'egress',
      run: ({ client_id: client, transaction, reason }, { idempotencyKey }) => {
        const own = bank.open(client)
        const found = own.handles('transaction').find(transaction)
        if (found === undefined) return refuse('There is no such transaction.')
        own.openDispute(found, reason, idempotencyKey)
        return `Opened: a dispute about ${transaction}.`
      },
    }),
  ),
  once(
    tool({
      name: 'transfer',
      description: 'Sends money from the account of the client to one of their payees.',
      input: z.object({
        client_id,
        from: z.string(),
        to: z.string().describe('Such as payee:3.'),
        amount: z.number().describe('In tiyn: 5000 is 50.00 tenge.'),
        note: z.string().optional(),
      }),
      effects: ['egress', 'irreversible'],
      run: ({ client_id: client, from, to, amount, note = '' }, { idempotencyKey }) => {
        const own = bank.open(client)
        const payee = own.handles('payee').find(to)
        if (payee === undefined || from !== own.account) return refuse('There is no such payee.')
        own.transfer({ payee, amount, note, key: idempotencyKey })
        return `Sent: ${tenge(amount)} to ${to}.`
      },
    }),
  ),
]

/** The bank knows a call by its idempotency key, so after a crash it may be made again. */
const once = (each: Tool): Tool => ({ ...each, repeatable: true })

function listTransactions(own: ClientBank, from: string, to: string) {
  const [cards, payees, transactions] = [own.handles('card'), own.handles('payee'), own.handles('transaction')]
  return own.entries(from, to).map(({ id, day, amount, code, card, payee, memo }) => ({
    transaction: transactions.nameOf(id),
    ...{ day, amount: tenge(amount), code },
    ...(card === null ? {} : { card: cards.nameOf(card) }),
    ...(payee === null ? {} : { payee: payees.nameOf(payee), payeeName: own.payeeName(payee) }),
    ...(memo === null || memo === '' ? {} : { memo }),
  }))
}

const refuse = (text: string): ToolResult => ({ ok: false, text })

/** `-2000.00 KZT`. */
export const tenge = (tiyn: number): string => `${(tiyn / 100).toFixed(2)} KZT`
