import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { closedFolder, reachableSource } from './reachable.ts'
import { tempFolder } from './sandbox.contract.ts'
import { SandboxError } from './sandbox.ts'

const USER = { uid: 61_999, gid: 61_999, dropped: true }

test('a file that the sandbox’s user can reach is shown as it is', async () => {
  await using folder = tempFolder()
  const file = join(folder.path, 'tool')
  writeFileSync(file, 'x')
  assert.equal(await reachableSource(file, USER), file)
  assert.equal(closedFolder(file, USER), undefined)
})

// Node of a version manager in /root, and packages in a project there, are closed to everybody else.
test('a file or folder behind a closed folder is copied once, and again when it changes', async () => {
  await using folder = tempFolder()
  const closed = join(folder.path, 'closed')
  mkdirSync(join(closed, 'lib'), { recursive: true })
  const file = join(closed, 'tool')
  writeFileSync(file, 'one', { mode: 0o700 })
  writeFileSync(join(closed, 'lib/part'), 'part', { mode: 0o600 })
  chmodSync(closed, 0o700)
  assert.equal(closedFolder(file, USER), closed)
  const shown = await reachableSource(file, USER)
  assert.notEqual(shown, file)
  assert.equal(readFileSync(shown, 'utf8'), 'one')
  assert.equal(statSync(shown).mode & 0o777, 0o555)
  assert.equal(closedFolder(shown, USER), undefined)
  assert.equal(await reachableSource(file, USER), shown)
  writeFileSync(file, 'other')
  assert.equal(readFileSync(await reachableSource(file, USER), 'utf8'), 'other')
  const lib = await reachableSource(join(closed, 'lib'), USER)
  assert.equal(statSync(join(lib, 'part')).mode & 0o777, 0o644)
  assert.equal(await reachableSource(file, { ...USER, dropped: false }), file)
  await assert.rejects(reachableSource(join(closed, 'none'), USER), SandboxError)
})
