import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoredSet } from '../../../test/support/scored.ts'
import { compare, compareAll } from './compare.ts'
import type { Scored } from './score.ts'

const set = (name: string, scored: readonly Scored[], left: readonly Scored[] = []) => ({ name, scored, left })

test('items are paired: won, lost or the same by the share that is right, and chance is told', () => {
  const first = set('A', scoredSet(['ww', 'cw', 'cc', 'cc', 'ww', 'c']))
  const second = set('B', scoredSet(['cw', 'cc', 'cc', 'ww', 'wc', 'ccc']))
  const found = compare(first, second)
  assert.deepEqual([found.wins, found.losses, found.ties, found.p], [3, 1, 2, 0.625]) // 2 (1 + 4) / 2^4
  assert.deepEqual(found.scores, { first: 3.5 / 6, second: 4 / 6 })
  assert.deepEqual(
    found.items.map(({ id, result }) => `${id} ${result}`),
    ['a win', 'b win', 'd loss', 'e win', 'c tie', 'f tie'],
  )
})

test('what only one of them has is compared with nothing, and counted', () => {
  const found = compare(set('A', scoredSet(['c', 'c', 'c'])), set('B', scoredSet(['c'])))
  assert.deepEqual([found.onlyFirst, found.onlySecond, found.ties, found.p], [2, 0, 1, 1])
  const none = compare(set('A', scoredSet(['c'], { question: 'x' })), set('B', []))
  assert.deepEqual([none.onlyFirst, none.ties, none.scores, none.p], [1, 0, undefined, 1])
})

test('sets whose ids have nothing in common are paired by their questions', () => {
  const theirs = scoredSet(['w'], { question: 'Who?' }).map((each) => ({ ...each, id: 'made-of-the-text' }))
  const found = compare(set('A', theirs), set('B', scoredSet(['c'], { question: 'Who?' })))
  assert.deepEqual([found.wins, found.onlyFirst, found.onlySecond], [1, 0, 0])
})

test('what was not judged in both is won and lost by nobody, and is not taken for missing', () => {
  const [a, b, c] = [scoredSet(['cc', 'ww', 'cc']), scoredSet(['ww', 'cc', 'ww']), scoredSet(['', '', '', 'c'])]
  const isOpen = ({ id, rollout }: Scored): boolean => id === 'a' || (id === 'b' && rollout === 2)
  const [judged, left] = [b.filter((each) => !isOpen(each)), b.filter(isOpen)]
  const found = compare(set('A', a), set('B', [...judged, ...c], left))
  assert.deepEqual(
    [found.wins, found.losses, found.ties, found.notJudged, found.onlyFirst, found.onlySecond],
    [0, 1, 0, 2, 0, 1],
  )
})

test('several sets are compared with the first, and p is raised by how many were tried', () => {
  const first = set('A', scoredSet(['w', 'w', 'w', 'w', 'w', 'w']))
  const others = ['cccccc', 'cccccw', 'cccccw'].map((letters, at) => set(`B${at}`, scoredSet([...letters])))
  const found = compareAll(first, others)
  // 2 / 2^6 and 2 / 2^5, times 3, 2 and 1; what is likelier alone does not become less likely together.
  assert.deepEqual(
    found.map(({ second, p, adjustedP = 0 }) => [second, ...[p, adjustedP].map((value) => Number(value.toFixed(6)))]),
    [
      ['B0', 0.03125, 0.09375],
      ['B1', 0.0625, 0.125],
      ['B2', 0.0625, 0.125],
    ],
  )
  assert.equal(compareAll(first, others.slice(0, 1))[0]?.adjustedP, undefined)
  assert.deepEqual(compareAll(first, []), [])
})
