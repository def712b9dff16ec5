import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBatch } from '../src/app/open-batch.ts'
import { readSettings } from '../src/app/settings.ts'

/** One batch: where its files are, whom it asks, and how. */
export interface Work {
  readonly folder: string
  /** What is done with an item: one model call, or three with two searches between them. */
  readonly task: 'ask' | 'research'
  readonly address: string
  readonly concurrency: number
}

export type Loop = (work: Work, wish: Wish) => Promise<void>

interface Wish {
  readonly out: string
  /** How many items, from the first on. Default: all. */
  readonly rows?: number
  readonly onItem?: () => void
}

export const LOOPS: Readonly<Record<'bare' | 'tao', Loop>> = {
  /** Asks, looks nothing up, and keeps nothing but the answers. */
  async bare({ folder, task, address, concurrency }, { rows, onItem }) {
    const items = readFileSync(join(folder, 'items.jsonl'), 'utf8').trim().split('\n').slice(0, rows).values()
    const answers: string[] = []
    const work = async (): Promise<void> => {
      for (const item of items) {
        const { question } = JSON.parse(item) as { readonly question: string }
        answers.push(await askBare(address, question, task === 'ask' ? [] : [SEARCH]))
        onItem?.()
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  },

  async tao({ folder, task, address, concurrency }, { out, rows, onItem }) {
    const batch = await openBatch(
      {
        ...{ dataset: 'items.jsonl', task: `${task}.task.yaml`, mode: 'new', out },
        ...(rows === undefined ? {} : { rows }),
        ...{ endpoints: [address], limits: {}, rollouts: 1, concurrency, shard: { number: 1, of: 1 } },
        overrides: { folder, model: 'openai-compatible/bench', baseUrl: address },
      },
      readSettings({ TAO_HOME: join(folder, 'state') }),
    )
    const { failed } = await batch.run({
      finishing: new AbortController().signal,
      ...(onItem === undefined ? {} : { onRollout: onItem }),
    })
    await batch.close()
    if (failed > 0) throw new Error(`${failed} items failed.`)
  },
}

interface Answer {
  readonly choices: readonly [
    { readonly message: { readonly content: string; readonly tool_calls?: readonly { readonly id: string }[] } },
  ]
}

const FOUND = 'The search for it found 1 result: measure twice, cut once.'

const SEARCH = {
  type: 'function',
  function: {
    name: 'search',
    description: 'Searches.',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
}

async function askBare(address: string, question: string, tools: readonly object[]): Promise<string> {
  const messages: object[] = [{ role: 'user', content: question }]
  for (;;) {
    const response = await fetch(`${address}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'bench', messages, ...(tools.length === 0 ? {} : { tools }) }),
    })
    const [{ message }] = ((await response.json()) as Answer).choices
    if (message.tool_calls === undefined) return message.content
    const found = message.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: FOUND }))
    messages.push(message, ...found)
  }
}
