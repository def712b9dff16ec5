import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recorded } from '../../test/support/recorded.ts'
import { supportOf } from './support.ts'

const CALLS = [
  recorded({ seq: 4, observation: 'price: 12.50 EUR, stock: 7' }),
  recorded({ seq: 9, observation: 'delivered on 2026-11-30; see https://shop.example.com/orders/31' }),
]

test('each sentence is linked to the results that have what it says', () => {
  const answer =
    'It costs 12.50 EUR, and 7 are left. I hope that helps! It came on 30 November 2026 (https://shop.example.com/orders/31).'
  assert.deepEqual(supportOf(answer, { calls: CALLS }), [
    { sentence: 'It costs 12.50 EUR, and 7 are left.', from: [4] },
    { sentence: 'It came on 30 November 2026 (https://shop.example.com/orders/31).', from: [9] },
  ])
})

test('what no result has is linked to nothing', () => {
  assert.deepEqual(supportOf('It costs 99 EUR. See "the manual".', { calls: CALLS }), [])
  assert.deepEqual(supportOf('Done.', { calls: CALLS }), [])
  assert.deepEqual(supportOf('', { calls: [] }), [])
})

test('a sentence with two sources names both, and of two that say the same the newer one', () => {
  const calls = [...CALLS, recorded({ seq: 12, observation: 'stock: 7' })]
  assert.deepEqual(supportOf('7 are left, at 12.50 each.', { calls }), [
    { sentence: '7 are left, at 12.50 each.', from: [4, 12] },
  ])
})

test('lines, points of a list and other languages are sentences too', () => {
  const answer = '1. Preis: 12,50 EUR\n2. Bestand: 7\n价格是12.5欧元。还剩7件。'
  assert.deepEqual(
    supportOf(answer, { calls: CALLS }).map(({ sentence }) => sentence),
    ['Preis: 12,50 EUR', 'Bestand: 7', '价格是12.5欧元。', '还剩7件。'],
  )
})
