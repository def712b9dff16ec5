import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAlone } from '../../test/support/given-tree.ts'
import { TaoError } from '../core/error.ts'
import { SandboxError } from '../sandbox/sandbox.ts'
import { check } from './check.ts'
import { all, any, not } from './combine.ts'
import type { Criterion, Finding } from './criterion.ts'

const part = (name: string, finding: Partial<Finding>): Criterion => ({
  name,
  check: async () => ({ holds: false, detail: name, ...finding }),
})
const yes = part('yes', { holds: true })
const no = part('no', {})
const broken: Criterion = { name: 'broken', check: () => Promise.reject(new Error('it broke')) }
const stale = part('stale', { doubt: 'stale' })
const late = part('late', { doubt: 'timeout' })
const liked = part('liked', { holds: true, doubt: 'opinion' })
const disliked = part('disliked', { doubt: 'opinion' })

const CASES: readonly (readonly [Criterion, string])[] = [
  [all([yes, yes]), 'holds'],
  [all([yes, no]), 'fails'],
  [all([yes, broken]), 'fails error'],
  [all([no, broken]), 'fails'],
  [all([yes, liked]), 'holds'],
  [all([liked, liked]), 'holds opinion'],
  [all([yes, disliked, broken]), 'fails opinion'],
  [any([no, yes]), 'holds'],
  [any([broken, yes]), 'holds'],
  [any([no, no]), 'fails'],
  [any([no, late]), 'fails timeout'],
  [any([no, liked]), 'holds opinion'],
  [any([yes, liked]), 'holds'],
  [not(no), 'holds'],
  [not(yes), 'fails'],
  [not(broken), 'fails error'],
  [not(stale), 'fails stale'],
  [not(liked), 'fails opinion'],
  [not(disliked), 'holds opinion'],
  [not(all([yes, broken])), 'fails error'],
  [not(any([no, broken])), 'fails error'],
  [not(not(yes)), 'holds'],
]

for (const [criterion, expected] of CASES)
  test(`${criterion.name} ${expected}`, async () => {
    const { holds, doubt } = await checkAlone(criterion)
    assert.equal([holds ? 'holds' : 'fails', ...(doubt === undefined ? [] : [doubt])].join(' '), expected)
  })

test('each part is told, with what it showed', async () => {
  const { detail } = await checkAlone(any([broken, yes]))
  assert.equal(detail, 'does not hold: broken\nThe check failed: it broke\nholds: yes\nyes')
})

test('a sandbox that fails is no part that does not hold', async () => {
  const unsafe: Criterion = { name: 'x', check: () => Promise.reject(new SandboxError('gone')) }
  await assert.rejects(checkAlone(any([unsafe, yes])), SandboxError)
})

test('can be tried before the first step when all parts can', () => {
  const early = { ...yes, early: true }
  assert.deepEqual([all([early, early]).early, any([early, yes]).early, not(early).early], [true, undefined, true])
})

test('without parts it is refused: it would hold of anything', () => {
  assert.throws(() => all([]), TaoError)
  assert.throws(() => any([]), TaoError)
})

test('a check of your own says yes, no, more, or throws; one that does not come back is not waited for', async () => {
  assert.deepEqual(await checkAlone(check({ name: 'a', check: () => true })), { holds: true, detail: 'it said yes' })
  assert.equal((await checkAlone(check({ name: 'a', check: async () => false }))).holds, false)
  assert.equal((await checkAlone(check({ name: 'a', check: () => ({ holds: false, detail: 'why' }) }))).detail, 'why')
  await assert.rejects(checkAlone(check({ name: 'a', check: () => Promise.reject(new Error('no')) })), /no/)
  const never = check({ name: 'a', check: () => new Promise<boolean>(() => undefined), timeLimit: 20 })
  assert.equal((await checkAlone(never)).doubt, 'timeout')
  assert.throws(() => check({ name: '', check: () => true }), TaoError)
})
