import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Finding, Verdict } from './attempt.ts'
import { ATTEMPTS } from './attempts.ts'
import { renderPage } from './page.ts'
import { runEscapeList } from './suite.ts'
import { rowsOf } from './table.ts'

// Without bubblewrap this fails, and with it every test of the list.
const results = await runEscapeList()

function expectVerdict(who: string, found: Finding | undefined, verdict: Verdict): void {
  assert.equal(found?.verdict, verdict, `${who}: ${found?.detail ?? 'it was not tried'}`)
}

// Among them 7: https://github.com/containers/bubblewrap/issues/725, 20: https://github.com/moby/moby/pull/44562,
// 67: https://github.com/nodejs/node/issues/63970, 69: https://github.com/containers/bubblewrap/issues/633
for (const { number, name, tao, naive } of ATTEMPTS)
  test(`every attempt of the escape list comes to what it must: ${number}, ${name}`, () => {
    expectVerdict('Tao, started by a user', results.user.tao[number], tao)
    if (results.root !== undefined) expectVerdict('Tao, started by root', results.root.tao[number], tao)
    // Where a naive sandbox holds as well, or is not asked, the attempt has not been seen to bite.
    if (typeof naive === 'string') expectVerdict('naive sandbox', results.user.naive?.[number], naive)
  })

test('the list has 69 attempts, each made in one way', () => {
  assert.deepEqual(
    ATTEMPTS.map(({ number }) => number),
    Array.from({ length: 69 }, (_, i) => i + 1),
  )
  for (const { number, program, tryTao } of ATTEMPTS)
    assert.notEqual(program === undefined, tryTao === undefined, `${number}`)
})

test('most attempts have been seen to escape from a naive sandbox', () => {
  const bite = Object.values(results.user.naive ?? {}).filter(({ verdict }) => verdict === 'escaped')
  assert.ok(bite.length >= 35, `${bite.length}`)
})

test('an allow list of hosts opens no other way: every attempt inside comes to the same', () => {
  for (const { number, tao, program } of ATTEMPTS)
    if (program !== undefined) expectVerdict(`${number}, with a host`, results.user.withNetwork?.[number], tao)
})

test('when all attempts have been made, no protected path is changed', () => {
  assert.deepEqual(results.user.disturbed, [])
  assert.deepEqual(results.root?.disturbed ?? [], [])
})

test('docs/sandbox.md shows what was seen', () => {
  // Who is not root has not seen that column; the tests above hold the others.
  const seen = rowsOf(results).map((row) => (results.root === undefined ? { ...row, root: row.attempt.tao } : row))
  const page = readFileSync(join(import.meta.dirname, '../../docs/sandbox.md'), 'utf8')
  assert.equal(page, renderPage(page, seen), 'write it anew, as root, with: npm run escape-list')
})
