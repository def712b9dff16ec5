import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUsage, estimateTokens, NO_USAGE, totalTokens } from './usage.ts'

const priced = { inputFresh: 1, inputCached: 2, inputCacheWritten: 3, output: 4, reasoning: 1, cost: 0.5 }
const { cost: _, ...unpriced } = priced

test('counts add up, reasoning is a part of output', () => {
  assert.equal(totalTokens(addUsage(priced, priced)), 20)
})

test('a cost is known only when every part of it is', () => {
  assert.equal(addUsage(NO_USAGE, priced).cost, 0.5)
  assert.equal(addUsage(addUsage(NO_USAGE, priced), priced).cost, 1)
  assert.equal(addUsage(addUsage(NO_USAGE, unpriced), priced).cost, undefined)
  assert.equal(addUsage(priced, unpriced).cost, undefined)
})

test('the estimate of Chinese text is not far below its tokens', () => {
  assert.equal(estimateTokens('北京今天天气'), 6)
})
