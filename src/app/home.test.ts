import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findClosedFolder, openHome } from './home.ts'

const folder = await mkdtemp(join(tmpdir(), 'tao-home-'))
after(() => rm(folder, { recursive: true }))

test('a new state directory lets others through to a working copy, and lets nobody list it', async () => {
  const home = openHome(join(folder, 'new/tao'))
  const modes = await Promise.all([home.path, home.work].map(async (path) => (await stat(path)).mode & 0o777))
  assert.deepEqual(modes, [0o711, 0o711])
})

test('the permissions of a state directory that is there are left as they are', async () => {
  const path = join(folder, 'mine')
  await mkdir(path)
  await chmod(path, 0o700)
  openHome(path)
  assert.equal((await stat(path)).mode & 0o777, 0o700)
})

test('a state directory that cannot be made names the way out', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  assert.throws(() => openHome(join(file, 'tao')), { name: 'TaoError', code: 'home', fix: /TAO_HOME=DIR/ })
})

test('the outermost folder that the user of the sandbox may not enter is found, for root only', async () => {
  const closed = join(folder, 'closed')
  await mkdir(join(closed, 'inner'), { recursive: true })
  await chmod(folder, 0o711)
  await chmod(closed, 0o700)
  assert.equal(findClosedFolder(join(closed, 'inner/not/there'), 0), closed)
  assert.equal(findClosedFolder(join(closed, 'inner'), 1000), undefined)
  assert.equal(findClosedFolder(join(folder, 'not/there'), 0), undefined)
})

test('a place where no folder can be made is refused at once', () => {
  assert.throws(() => openHome('/proc/nowhere/tao'), { name: 'TaoError', code: 'home' })
})
