import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readAttachments } from './attachments.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tao-attach-'))
})
after(() => rm(folder, { recursive: true }))

test('a file becomes words of its own kind, under its name', async () => {
  await writeFile(join(folder, 'a.txt'), 'Pay Bob.\n')
  assert.deepEqual(await readAttachments(['a.txt'], folder), [{ kind: 'attached', name: 'a.txt', text: 'Pay Bob.\n' }])
})

test('what is no text, not there, or more than a model can be shown is refused by name', async () => {
  await writeFile(join(folder, 'b.bin'), Buffer.from([0xff, 0xfe]))
  await writeFile(join(folder, 'c.txt'), 'x'.repeat(200_000))
  await assert.rejects(() => readAttachments(['b.bin'], folder), /b\.bin is not UTF-8 text/)
  await assert.rejects(() => readAttachments(['none.txt'], folder), /There is no file to attach none\.txt/)
  await assert.rejects(() => readAttachments(['.'], folder), /is not a file/)
  await assert.rejects(
    () => readAttachments(['c.txt', 'c.txt'], folder),
    /400000 characters are attached; 262144 can be/,
  )
})
