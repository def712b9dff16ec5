import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { checkAlone, givenTree } from '../../test/support/given-tree.ts'
import { TaoError } from '../core/error.ts'
import { file } from './file.ts'

test('holds for what the working copy has, not for what the source has', async () => {
  await using given = await givenTree({ 'report.md': '# Draft\n' })
  const criterion = file({ path: 'report.md', matches: '/^# Final$/' })
  assert.deepEqual(await given.check(criterion), { holds: false, detail: 'report.md does not match /^# Final$/.' })
  await given.write('report.md', '# Final\n')
  assert.deepEqual(await given.check(criterion), { holds: true, detail: 'report.md matches.' })
})

test('the name tells criteria on one file apart', () => {
  const names = [{}, { exists: false }, { matches: 'x' }].map((wish) => file({ path: './a/b', ...wish }).name)
  assert.deepEqual(names, ['file: a/b', 'file: a/b, not there', 'file: a/b, containing x'])
})

test('a file that shall be there, and one that shall not', async () => {
  await using given = await givenTree({ a: '' })
  assert.deepEqual(await given.check(file({ path: 'a' })), { holds: true, detail: 'a has 0 bytes.' })
  assert.deepEqual(await given.check(file({ path: 'b' })), { holds: false, detail: 'b is not there.' })
  assert.equal((await given.check(file({ path: 'b', exists: false }))).holds, true)
  assert.equal((await given.check(file({ path: 'a/b', exists: false }))).holds, true)
  assert.deepEqual(await given.check(file({ path: 'a', exists: false })), { holds: false, detail: 'a is there.' })
})

describe('what is no regular file of the working copy is not read', () => {
  const outside: Record<string, (copy: string) => Promise<unknown>> = {
    'a link out of it': (copy) => symlink('/etc/passwd', join(copy, 'x')),
    'a link to a file in it': (copy) => symlink('a', join(copy, 'x')),
    'a folder': (copy) => mkdir(join(copy, 'x')),
    'a named pipe': async (copy) => execFileSync('mkfifo', [join(copy, 'x')]),
  }
  for (const [what, make] of Object.entries(outside))
    test(what, async () => {
      await using given = await givenTree({ a: 'root' })
      await make(given.workspace.view.copy)
      for (const wish of [{}, { matches: 'root' }])
        await assert.rejects(given.check(file({ path: 'x', ...wish })), TaoError)
      assert.equal((await given.check(file({ path: 'x', exists: false }))).holds, false)
    })

  test('a file below a link', async () => {
    await using given = await givenTree({ a: '' })
    await symlink('/etc', join(given.workspace.view.copy, 'x'))
    await assert.rejects(given.check(file({ path: 'x/passwd' })), TaoError)
  })
})

test('a file too large to be searched does not hold', async () => {
  await using given = await givenTree({ a: 'yes' })
  await truncate(join(given.workspace.view.copy, 'a'), 17 << 20)
  assert.match((await given.check(file({ path: 'a', matches: 'yes' }))).detail, /at most \d+ are searched/)
})

test('what is never delivered, or has no workspace, does not hold', async () => {
  await using given = await givenTree({ '__pycache__/a': '' })
  for (const exists of [true, false]) {
    assert.equal((await given.check(file({ path: '__pycache__/a', exists }))).holds, false)
    assert.equal((await checkAlone(file({ path: 'a', exists }))).holds, false)
  }
})

test('contradictions and paths outside of the workspace are refused at once', () => {
  assert.throws(() => file({ path: 'a', exists: false, matches: 'x' }), TaoError)
  for (const path of ['', '.', '/etc/passwd', '../a']) assert.throws(() => file({ path }), TaoError)
})
