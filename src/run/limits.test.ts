import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_LIMITS, type LimitName, type Limits } from '../core/limits.ts'
import { NO_USAGE } from '../core/usage.ts'
import { describeLimit, firedLimit, mayAskOnceMore, statusOf } from './limits.ts'
import { emptyState, type State } from './state.ts'

const withCounts = (counts: Partial<State['counts']>, part: Partial<State> = {}): State => {
  const state = emptyState()
  return { ...state, ...part, counts: { ...state.counts, ...counts } }
}

test('nothing fires at the start', () => {
  assert.equal(firedLimit(emptyState(), DEFAULT_LIMITS), undefined)
})

const atBound: readonly [LimitName, State][] = [
  ['modelCalls', withCounts({ modelCalls: 50 })],
  ['toolCalls', withCounts({ toolCalls: 201 })],
  ['tokens', withCounts({}, { usage: { ...NO_USAGE, inputCached: 1_000_000, output: 1_000_000 } })],
  ['contextTokens', withCounts({}, { contextTokens: 120_000 })],
  ['wallTime', withCounts({}, { startedAt: 1_000, now: 1_801_000 })],
  ['malformedReplies', withCounts({ malformedReplies: 3 })],
  ['rejectedClaims', withCounts({ rejectedClaims: 4 })],
  ['refusals', withCounts({ refusals: 10 })],
]

for (const [limit, state] of atBound) {
  test(`${limit} fires at its bound, and past it`, () => {
    assert.equal(firedLimit(state, DEFAULT_LIMITS)?.limit, limit)
    const lower = { ...DEFAULT_LIMITS, [limit]: (DEFAULT_LIMITS[limit] ?? 0) - 1 }
    assert.equal(firedLimit(state, lower)?.limit, limit)
  })
}

test('a cost limit fires at its bound, and when a cost is not known', () => {
  const limits: Limits = { ...DEFAULT_LIMITS, cost: 0.5 }
  const costing = (cost?: number) =>
    withCounts({ modelCalls: 1 }, { usage: cost === undefined ? NO_USAGE : { ...NO_USAGE, cost } })
  assert.equal(firedLimit(costing(0.4), limits), undefined)
  assert.equal(firedLimit(costing(0.5), limits)?.limit, 'cost')
  assert.equal(firedLimit(costing(), limits)?.limit, 'cost')
})

test('a last answer is asked for only when another request is within every other limit', () => {
  assert.equal(mayAskOnceMore(withCounts({ toolCalls: 201 }), DEFAULT_LIMITS), true)
  assert.equal(mayAskOnceMore(withCounts({ toolCalls: 201, modelCalls: 50 }), DEFAULT_LIMITS), false)
  assert.equal(mayAskOnceMore(withCounts({ refusals: 10 }), DEFAULT_LIMITS), false)
})

test('each limit has a status and a sentence with its bound', () => {
  for (const limit of Object.keys(DEFAULT_LIMITS) as LimitName[]) {
    assert.ok(['limit', 'failed', 'blocked'].includes(statusOf(limit)))
    assert.match(describeLimit({ limit, value: 7, bound: 7 }), new RegExp(`^Limit ${limit}: 7 .*\\.$`))
  }
})
