import assert from 'node:assert/strict'
import { chmod, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { checkAlone, givenTree } from '../../test/support/given-tree.ts'
import { TaoError } from '../core/error.ts'
import { unchanged } from './unchanged.ts'

const FILES = {
  'tests/test_a.py': 'assert 1',
  'tests/deep/data.txt': '1 2 3',
  'settings.json': '{}',
  'src/a.py': 'x = 1',
}
const criterion = unchanged(['tests', './settings.json'])

test('holds when only other paths were touched', async () => {
  await using given = await givenTree(FILES)
  await given.write('src/a.py', 'x = 2')
  await given.write('tests_of_mine.py', '')
  assert.deepEqual(await given.check(criterion), { holds: true, detail: 'nothing differs' })
})

test('the name says which paths', () => {
  assert.equal(criterion.name, 'unchanged: tests, settings.json')
})

describe('does not hold, and says which path, when something was', () => {
  type Given = Awaited<ReturnType<typeof givenTree>>
  const at = (given: Given, path: string): string => join(given.workspace.view.copy, path)
  const cases: readonly [string, (given: Given) => Promise<void>, RegExp][] = [
    ['changed', (given) => given.write('settings.json', '{ }'), /^changed: settings.json$/],
    ['changed to the same size', (given) => given.write('tests/test_a.py', 'assert 0'), /^changed: tests\/test_a.py$/],
    ['added below', (given) => given.write('tests/deep/new.py', ''), /^added: tests\/deep\/new.py$/],
    ['removed', (given) => rm(at(given, 'tests/deep/data.txt')), /^removed: tests\/deep\/data.txt$/],
    ['removed as a whole', (given) => rm(at(given, 'tests'), { recursive: true }), /removed: tests\/test_a.py/],
    ['made executable', (given) => chmod(at(given, 'tests/test_a.py'), 0o755), /^changed: tests\/test_a.py$/],
    [
      'replaced by a link to a copy of itself',
      async (given) => {
        await given.write('src/copy.json', '{}')
        await rm(at(given, 'settings.json'))
        await symlink('src/copy.json', at(given, 'settings.json'))
      },
      /^changed: settings.json$/,
    ],
  ]
  for (const [what, change, expected] of cases)
    test(what, async () => {
      await using given = await givenTree(FILES)
      await change(given)
      const { holds, detail } = await given.check(criterion)
      assert.equal(holds, false)
      assert.match(detail, expected)
    })
})

test('a protected path that was changed behind the sandbox does not hold', async () => {
  await using given = await givenTree(FILES, ['tests'])
  await given.write('tests/test_a.py', 'pass')
  const { holds, detail } = await given.check(criterion)
  assert.deepEqual([holds, detail], [false, 'changed: tests/test_a.py'])
})

// https://github.com/tetsuo-ai/agenc-core/pull/2464
test('a path that is not there proves nothing, nor does one that is never delivered', async () => {
  await using given = await givenTree(FILES)
  const slip = await given.check(unchanged(['tests', 'tset']))
  assert.deepEqual(slip, { holds: false, detail: 'not there: tset' })
  const ignored = await given.check(unchanged(['tests/__pycache__']))
  assert.match(ignored.detail, /cannot be told: tests\/__pycache__ is among the names that are ignored/)
  assert.equal((await checkAlone(criterion)).holds, false)
})

test('many differences are counted, not all listed', async () => {
  await using given = await givenTree(FILES)
  for (let i = 0; i < 30; i++) await given.write(`tests/made-${i}.txt`, '')
  const lines = (await given.check(criterion)).detail.split('\n')
  assert.equal(lines.length, 21)
  assert.equal(lines.at(-1), 'and 10 more')
})

test('paths outside of the workspace, and none at all, are refused at once', () => {
  for (const paths of [[], ['../x'], ['/etc'], [''], ['a/../../b']]) assert.throws(() => unchanged(paths), TaoError)
})
