import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAlone, givenTree } from '../../test/support/given-tree.ts'
import { TaoError } from '../core/error.ts'
import { changed } from './changed.ts'

test('holds while only these paths differ', async () => {
  await using given = await givenTree({ 'src/a.py': '1', 'src_b.py': '1' })
  const criterion = changed(['src', './notes.txt'])
  assert.equal(criterion.name, 'changed: only src, notes.txt')
  assert.deepEqual(await given.check(criterion), { holds: true, detail: '0 changed, all of them allowed' })
  await given.write('src/deep/new.py', '2')
  await given.write('notes.txt', '2')
  assert.equal((await given.check(criterion)).holds, true)
  await given.write('src_b.py', '2')
  assert.deepEqual(await given.check(criterion), { holds: false, detail: 'changed: src_b.py' })
})

test('does not hold without a workspace, and refuses what is no path in it', async () => {
  assert.equal((await checkAlone(changed(['src']))).holds, false)
  for (const paths of [[], ['..'], ['/etc']]) assert.throws(() => changed(paths), TaoError)
})
