import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUsage } from './chat-usage.ts'

const PRICE = { input: 2, cachedInput: 0.5, output: 8 }

test('counts do not overlap, whichever way the cached ones are said', () => {
  const expected = { inputFresh: 30, inputCached: 70, inputCacheWritten: 0, output: 20, reasoning: 5 }
  const details = { completion_tokens_details: { reasoning_tokens: 5 } }
  const said = { prompt_tokens: 100, completion_tokens: 20, ...details }
  assert.deepEqual(readUsage({ ...said, prompt_tokens_details: { cached_tokens: 70 } }, undefined), expected)
  assert.deepEqual(
    readUsage({ ...said, prompt_cache_hit_tokens: 70, prompt_cache_miss_tokens: 30 }, undefined),
    expected,
  )
})

test('tokens written to a cache are counted apart', () => {
  const details = { cached_tokens: 60, cache_write_tokens: 30 }
  const usage = readUsage({ prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: details }, PRICE)
  assert.deepEqual([usage?.inputFresh, usage?.inputCached, usage?.inputCacheWritten], [10, 60, 30])
  assert.equal(usage?.cost, undefined, 'their price is not known')
})

test('a cost is in dollars and only there with a price', () => {
  const said = { prompt_tokens: 1_000_000, completion_tokens: 500_000, prompt_cache_hit_tokens: 400_000 }
  assert.equal(readUsage(said, PRICE)?.cost, 0.6 * 2 + 0.4 * 0.5 + 0.5 * 8)
  assert.ok(!('cost' in (readUsage(said, undefined) ?? {})))
})

test('not said is not zero', () => {
  for (const value of [
    undefined,
    null,
    {},
    { prompt_tokens: 1 },
    { completion_tokens: 1 },
    { prompt_tokens: -1, completion_tokens: 1 },
    { prompt_tokens: '5', completion_tokens: 1 },
  ])
    assert.equal(readUsage(value, PRICE), undefined)
})

test('counts that contradict each other never give a negative one', () => {
  const usage = readUsage(
    {
      prompt_tokens: 10,
      completion_tokens: 3,
      prompt_cache_hit_tokens: 50,
      completion_tokens_details: { reasoning_tokens: 9 },
    },
    PRICE,
  )
  assert.deepEqual(usage, {
    inputFresh: 0,
    inputCached: 10,
    inputCacheWritten: 0,
    output: 3,
    reasoning: 3,
    cost: (10 * 0.5 + 3 * 8) / 1e6,
  })
})
