import { readPolicy } from '../../src/app/policy-file.ts'
import type { Event } from '../../src/core/event.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { DEFAULT_LIMITS } from '../../src/core/limits.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { memoryStore } from '../../src/journal/memory-store.ts'
import type { ScriptCall } from '../../src/model/script.ts'
import { scripted } from '../../src/model/scripted.ts'
import { native } from '../../src/protocol/native.ts'
import { advance } from '../../src/run/advance.ts'
import type { AskPerson, Parts } from '../../src/run/run.ts'
import { startRun } from '../../src/run/start.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { tickingClock } from './bench.ts'
import type { Seeded } from './seeded.ts'

/** Whoever is to go on takes a turn; who of those that wait goes on next is drawn. */
export class Turns {
  readonly #seeded: Seeded
  readonly #waiting: (() => void)[] = []

  constructor(seeded: Seeded) {
    this.#seeded = seeded
  }

  take(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Lets one go on after another until all the work is done. */
  async drive<T>(work: readonly Promise<T>[]): Promise<T[]> {
    let isDone = false
    const all = Promise.all(work).finally(() => {
      isDone = true
    })
    while (!isDone) {
      const [next] = this.#waiting.splice(this.#seeded.below(this.#waiting.length), 1)
      next?.()
      await new Promise(setImmediate)
    }
    return all
  }
}

export interface Visit {
  readonly client: string
  readonly account: string
  readonly tools: readonly Tool[]
  /** What the model asks for, in one reply. */
  readonly calls: readonly ScriptCall[]
  readonly journal: Journal
  readonly turns: Turns
}

export interface Visited {
  readonly client: string
  readonly events: readonly Event[]
  /** Everything that reached the model or left it as an answer, but for what it had said itself. */
  readonly told: string
}

const policy = await readPolicy('bank', '/nowhere')

/** A person who says yes to everything. */
const approveAll: AskPerson = async (cards) =>
  cards.map(({ call }) => ({ id: call, decision: 'approve', by: 'client', from: 'test' }))

/** One run for one client. Its model repeats all that it was told as its answer. */
export async function visit({ client, account, tools, calls, journal, turns }: Visit): Promise<Visited> {
  const model = scripted(async ({ messages }, n) => {
    await turns.take()
    return n === 0
      ? { calls }
      : { text: messages.flatMap(({ role, text }) => (role === 'tool' ? [text] : [])).join('\n') }
  })
  const parts: Parts = {
    ...{ model, protocol: native, criteria: [], journal, store: memoryStore(), clock: tickingClock() },
    tools: new Map(tools.map((tool) => [tool.definition.name, inTurn(tool, turns)])),
    permission: { policy, session: { client, account }, otherRuns: async () => [] },
    approvals: { key: 'key', lifetime: 60_000, ask: inTurnOf(turns) },
  }
  const bounds = { refusals: 1000, toolCalls: 1000, repeats: 1000 }
  const spec = { id: `run-${client}`, task: 'What is new?', client, limits: { ...DEFAULT_LIMITS, ...bounds } }
  const sampling = { temperature: 0, maxOutputTokens: 800, stream: false, thinking: false }
  const outcome = await advance(await startRun({ ...spec, ...sampling }, parts), new AbortController().signal)
  const heard = model.requests.flatMap(({ messages }) =>
    messages.flatMap(({ role, text }) => (role === 'assistant' ? [] : [text])),
  )
  return { client, events: await journal.read(spec.id), told: [...heard, outcome?.answer ?? ''].join('\n') }
}

/** Other runs may go on before a tool begins. */
const inTurn = (tool: Tool, turns: Turns): Tool => ({
  ...tool,
  execute: async (input, context) => {
    await turns.take()
    return tool.execute(input, context)
  },
})

const inTurnOf =
  (turns: Turns): AskPerson =>
  async (cards, signal) => {
    await turns.take()
    return approveAll(cards, signal)
  }

/** Every argument of every tool that could name something, with these values in it, one call each. */
export function callsWith(values: readonly string[]): ScriptCall[] {
  const days = { from: '2026-10-01', to: '2026-10-31' }
  const money = { to: 'payee:1', amount: 100 }
  return values.flatMap((value) => {
    const forms: readonly (readonly [string, JsonObject])[] = [
      ['txn_search', { ...days, client_id: value }],
      ['txn_search', { ...days, from: value }],
      ['txn_search', { ...days, client: value }],
      ['tariff_lookup', { code: value }],
      ['tariff_lookup', { code: 'FX_FEE', client_id: value }],
      ['card_block', { card: value }],
      ['card_block', { card: 'card:1', client_id: value }],
      ['dispute_open', { transaction: value, reason: 'x' }],
      ['dispute_open', { transaction: 'transaction:1', reason: value }],
      ['dispute_open', { transaction: 'transaction:1', reason: 'x', client_id: value }],
      ['transfer', { ...money, to: value }],
      ['transfer', { ...money, note: value }],
      ['transfer', { ...money, from: value }],
      ['transfer', { ...money, client_id: value }],
    ]
    return forms.map(([name, given]) => ({ name, arguments: given }))
  })
}
