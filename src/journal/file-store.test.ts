import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileStore } from './file-store.ts'
import { storeContract } from './store.contract.ts'

const root = await mkdtemp(join(tmpdir(), 'tao-store-'))
after(() => rm(root, { recursive: true }))
const freshFolder = async (): Promise<string> => await mkdtemp(join(root, 'store-'))

storeContract('file store', async () => fileStore(join(await freshFolder(), 'made', 'when needed')))

test('files lie in two-letter folders, for the owner alone, with nothing unfinished beside them', async () => {
  const folder = await freshFolder()
  const sha256 = await fileStore(folder).put('a secret')
  const letters = sha256.slice(0, 2)
  assert.deepEqual(await readdir(folder, { recursive: true }), [letters, join(letters, sha256)])
  assert.equal((await stat(join(folder, letters, sha256))).mode & 0o777, 0o600)
  assert.equal((await stat(join(folder, letters))).mode & 0o777, 0o700)
})

test('a text that is there is not written again', async () => {
  const folder = await freshFolder()
  const sha256 = await fileStore(folder).put('once')
  const path = join(folder, sha256.slice(0, 2), sha256)
  await utimes(path, 1, 1)
  await fileStore(folder).put('once')
  assert.equal((await stat(path)).mtimeMs, 1_000)
})

test('a file that was changed is refused, and one that was cut short is written again', async () => {
  const folder = await freshFolder()
  const store = fileStore(folder)
  const sha256 = await store.put('the truth')
  await writeFile(join(folder, sha256.slice(0, 2), sha256), 'the tr')
  await assert.rejects(store.get(sha256), /does not hold what was kept there/)
  await store.put('the truth')
  assert.equal(await store.get(sha256), 'the truth')
})

test('a folder that cannot be written is an error that says where', async () => {
  const file = join(await freshFolder(), 'file')
  await writeFile(file, '')
  await assert.rejects(fileStore(file).put('x'), (error: Error) => error.message.includes(file))
})

test('what is kept is listed; it is removed as old only when nobody has put it again', async () => {
  const folder = await freshFolder()
  const store = fileStore(folder)
  assert.deepEqual(await fileStore(join(folder, 'none')).list(), [])
  const sha256 = await store.put('wanted')
  const path = join(folder, sha256.slice(0, 2), sha256)
  await writeFile(join(folder, 'notes.txt'), 'of somebody else')
  await utimes(path, 1, 1)
  assert.deepEqual(await store.list(), [{ sha256, bytes: 6, putAt: 1_000 }])
  await store.put('wanted')
  assert.equal(await store.remove(sha256, Date.now() - 60_000), false)
  assert.equal(await store.get(sha256), 'wanted')
  await utimes(path, 1, 1)
  assert.equal(await store.remove(sha256, 2_000), true)
  assert.equal(await store.remove(sha256, 2_000), false)
  assert.equal(await store.get(sha256), undefined)
})
