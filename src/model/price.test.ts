import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '../core/request.ts'
import type { Usage } from '../core/usage.ts'
import { NO_USAGE } from '../core/usage.ts'
import { priced } from './price.ts'
import { scripted } from './scripted.ts'

const PRICE = { input: 2, cachedInput: 0.5, output: 8 }
const HEAD = { tools: [], stop: [], temperature: 0, maxOutputTokens: 10, stream: false, thinking: false }

function ask(usage: Partial<Usage>): Promise<Reply> {
  const model = priced(scripted([{ text: 'x', usage }]), PRICE)
  const request = {
    step: 1,
    head: HEAD,
    messages: [],
    toolChoice: 'auto' as const,
    ...model.openBody(HEAD).take('auto'),
  }
  return model.ask(request, { signal: new AbortController().signal })
}

test('a reply of a model with a price has a cost: dollars for a million tokens, cached ones at their own price', async () => {
  const { usage } = await ask({ inputFresh: 1_000_000, inputCached: 2_000_000, output: 500_000 })
  assert.deepEqual(usage, { ...NO_USAGE, inputFresh: 1_000_000, inputCached: 2_000_000, output: 500_000, cost: 7 })
})

test('a cost that the service says stands, and one that nobody knows is not made up', async () => {
  assert.equal((await ask({ inputFresh: 10, cost: 3 })).usage?.cost, 3)
  assert.equal((await ask({ inputFresh: 10, inputCacheWritten: 5 })).usage?.cost, undefined)
})
