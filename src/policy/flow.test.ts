import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Effect } from '../core/call.ts'
import type { Mark } from '../core/mark.ts'
import { type Anchoring, neededAnchoring } from './flow.ts'

const EFFECTS: Readonly<Record<string, Effect>> = { r: 'read', w: 'write', e: 'egress', i: 'irreversible' }
const MARK_SETS: readonly (readonly Mark[])[] = [[], ['private'], ['untrusted'], ['untrusted', 'private']]
const ANCHORING: Readonly<Record<string, Anchoring>> = { '-': 'nothing', s: 'sinks', a: 'everything' }

/** Every set of effects; what is needed with nothing read, private, untrusted, and both. */
const CELLS: Readonly<Record<string, string>> = {
  r: '----',
  w: '--aa',
  e: '-saa',
  i: 'ssaa',
  rw: '--aa',
  re: '-saa',
  ri: 'ssaa',
  we: '-saa',
  wi: 'ssaa',
  ei: 'ssaa',
  rwe: '-saa',
  rwi: 'ssaa',
  rei: 'ssaa',
  wei: 'ssaa',
  rwei: 'ssaa',
}

const effectsOf = (letters: string): Effect[] => Array.from(letters, (letter) => EFFECTS[letter] ?? 'irreversible')

test('each of the 60 cells of the flow table is as it is written down', () => {
  let cells = 0
  for (const [letters, row] of Object.entries(CELLS))
    for (const [at, marks] of MARK_SETS.entries()) {
      assert.equal(neededAnchoring(effectsOf(letters), marks), ANCHORING[row[at] ?? ''], `${letters} after ${marks}`)
      cells++
    }
  assert.equal(cells, 60)
})

const STRICTNESS: readonly Anchoring[] = ['nothing', 'sinks', 'everything']
const strictness = (letters: string, marks: readonly Mark[]): number =>
  STRICTNESS.indexOf(neededAnchoring(effectsOf(letters), marks))

test('more marks or more effects never need less to be anchored', () => {
  for (const letters of Object.keys(CELLS))
    for (const marks of MARK_SETS) {
      for (const more of MARK_SETS)
        if (marks.every((mark) => more.includes(mark)))
          assert.ok(strictness(letters, more) >= strictness(letters, marks), `${letters}: ${marks} and ${more}`)
      for (const more of Object.keys(CELLS))
        if (Array.from(letters).every((letter) => more.includes(letter)))
          assert.ok(strictness(more, marks) >= strictness(letters, marks), `${letters} and ${more}: ${marks}`)
    }
})

test('a tool of which nobody says what it does counts as the most severe', () => {
  for (const marks of MARK_SETS) assert.equal(neededAnchoring([], marks), neededAnchoring(['irreversible'], marks))
})
