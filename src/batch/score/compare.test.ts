import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoredSet } from '../../../test/support/scored.ts'
import { compare } from './compare.ts'

test('items are paired: won, lost or the same by the share that is right, and chance is told', () => {
  const first = { name: 'A', scored: scoredSet(['ww', 'cw', 'cc', 'cc', 'ww', 'c']) }
  const second = { name: 'B', scored: scoredSet(['cw', 'cc', 'cc', 'ww', 'wc', 'ccc']) }
  const found = compare(first, second)
  assert.deepEqual([found.wins, found.losses, found.ties, found.p], [3, 1, 2, 0.625]) // 2 (1 + 4) / 2^4
  assert.deepEqual(found.scores, { first: 3.5 / 6, second: 4 / 6 })
  assert.deepEqual(
    found.items.map(({ id, result }) => `${id} ${result}`),
    ['a win', 'b win', 'd loss', 'e win', 'c tie', 'f tie'],
  )
})

test('what only one of them has is compared with nothing, and counted', () => {
  const found = compare({ name: 'A', scored: scoredSet(['c', 'c', 'c']) }, { name: 'B', scored: scoredSet(['c']) })
  assert.deepEqual([found.onlyFirst, found.onlySecond, found.ties, found.p], [2, 0, 1, 1])
  const none = compare({ name: 'A', scored: scoredSet(['c'], { question: 'x' }) }, { name: 'B', scored: [] })
  assert.deepEqual([none.onlyFirst, none.ties, none.scores, none.p], [1, 0, undefined, 1])
})

test('sets whose ids have nothing in common are paired by their questions', () => {
  const theirs = scoredSet(['w'], { question: 'Who?' }).map((each) => ({ ...each, id: 'made-of-the-text' }))
  const found = compare({ name: 'A', scored: theirs }, { name: 'B', scored: scoredSet(['c'], { question: 'Who?' }) })
  assert.deepEqual([found.wins, found.onlyFirst, found.onlySecond], [1, 0, 0])
})
