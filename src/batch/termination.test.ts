import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FiredLimit } from '../core/limits.ts'
import { predictionOf, terminationOf } from './termination.ts'

const fired = (limit: FiredLimit['limit']): FiredLimit => ({ limit, value: 2, bound: 1 })

test('each of the six endings has the text that evaluations count', () => {
  const cases = [
    [{ answer: 'A' }, 'answer', 'A'],
    [{}, 'answer not found', 'No answer found.'],
    [{ limit: fired('modelCalls') }, 'exceed available llm calls', 'No answer found.'],
    [{ limit: fired('wallTime') }, 'No answer found after 2h30mins', 'No answer found after 2h30mins'],
    [{ limit: fired('contextTokens'), answer: 'A' }, 'generate an answer as token limit reached', 'A'],
    [{ limit: fired('contextTokens') }, 'format error: generate an answer as token limit reached', 'the last words'],
    [{ limit: fired('cost') }, 'answer not found', 'No answer found.'],
    [{ limit: fired('toolCalls'), answer: 'A' }, 'answer', 'A'],
  ] as const
  for (const [outcome, termination, prediction] of cases)
    assert.deepEqual([terminationOf(outcome), predictionOf(outcome, 'the last words')], [termination, prediction])
})
