import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnChart } from './chart-counts.ts'
import { spendChart } from './chart-spend.ts'

const textsIn = (svg: string): string[] => Array.from(svg.matchAll(/<text[^>]*>([^<]*)</g), ([, words = '']) => words)

test('lanes of many shares have room, and names that would stand in each other are left out', () => {
  const shares = [...Array.from({ length: 21 }, (_, at) => at / 20), 1 / 3, 2 / 3]
  const svg = spendChart(
    shares.map((share) => ({ spend: 1, share, name: 'x' })),
    'dollars',
    String,
  )
  const places = Array.from(svg.matchAll(/<text [^>]*y="([\d.]+)"[^>]*>\d+ %</g), ([, y]) => Number(y)).sort(
    (a, b) => a - b,
  )
  assert.ok(places.length > 15 && places.length < shares.length)
  for (const [at, y] of places.slice(1).entries()) assert.ok(y - (places[at] ?? 0) >= 18, `${y}`)
  assert.equal(svg.match(/class="median"/g)?.length, shares.length)
})

test('a scale of attempts counts whole ones, and no attempts are no trouble', () => {
  assert.deepEqual(textsIn(columnChart([{ name: '3', correct: 1, other: 1 }], 'steps')), ['0', '1', '2', '3', 'steps'])
  for (const svg of [columnChart([], 'steps'), spendChart([], 'dollars', String)])
    assert.doesNotMatch(svg, /NaN|Infinity/)
})
