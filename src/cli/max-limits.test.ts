import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceIn } from '../app/written-price.ts'
import { maxLimits } from './max-limits.ts'

test('limits of a command are dollars and a length of time; what is neither is refused by its flag', () => {
  assert.deepEqual(maxLimits({ maxCost: '2.50', maxTime: '90m' }), { cost: 2.5, time: 5_400_000 })
  assert.deepEqual(maxLimits({}), {})
  for (const maxCost of ['0', '-1', 'much', 'Infinity', ''])
    assert.throws(() => maxLimits({ maxCost }), { code: 'usage', message: /--max-cost must be/ }, maxCost)
  for (const maxTime of ['10', '0s', 'long'])
    assert.throws(() => maxLimits({ maxTime }), { code: 'usage', message: /--max-time must be/ }, maxTime)
})

test('a price is three amounts, and nothing else is taken for one', () => {
  assert.deepEqual(priceIn('0.28, 0.028,0', '--judge-price'), { input: 0.28, cachedInput: 0.028, output: 0 })
  for (const text of ['1,2', '1,2,3,4', '1,,3', '-1,0,0', 'a,b,c', '1,2,1e999'])
    assert.throws(() => priceIn(text, '--judge-price'), { code: 'usage', message: /--judge-price must be/ }, text)
})
