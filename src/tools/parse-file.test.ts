import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { docxOf, wordParagraph, zipOf } from '../../test/support/office.ts'
import type { JsonObject } from '../core/json.ts'
import { parseFile } from './parse-file.ts'
import { remembering } from './remembering.ts'
import { sharesOf } from './shares.ts'

const outer = await realpath(await mkdtemp(join(tmpdir(), 'tao-parse-')))
after(() => rm(outer, { recursive: true }))
const copy = join(outer, 'copy')
await mkdir(copy)
const write = (name: string, content: string | Uint8Array) => writeFile(join(copy, name), content)

const tool = parseFile({ view: { copy, protect: [] } })
const context = { call: 'c1', client: 'local', idempotencyKey: 'key', signal: new AbortController().signal }

async function parse(args: JsonObject) {
  const read = await tool.validate(args)
  assert.ok(read.ok, JSON.stringify(read))
  return await tool.execute(read.input, context)
}

test('files of several kinds are shown under their names; one that cannot be read does not spoil the others', async () => {
  await write('a.txt', 'Привет')
  await write('b.docx', docxOf(wordParagraph('From Word.')))
  await write('c.pdf', '%PDF-1.4 broken')
  const { ok, text } = await parse({ files: ['a.txt', '/workspace/b.docx', 'c.pdf', 'none.txt'] })
  assert.equal(ok, true)
  const [first, second, third, fourth] = text.split('\n=======\n')
  assert.equal(first, '# a.txt: 6 characters\n\nПривет')
  assert.equal(second, '# /workspace/b.docx: 10 characters\n\nFrom Word.')
  assert.match(third ?? '', /^c\.pdf was not read\. It could not be read: /)
  assert.equal(fourth, 'none.txt was not read. There is no such file in the workspace.')
})

test('paths and links that lead out of the workspace are not followed', async () => {
  await writeFile(join(outer, 'secret.txt'), 'secret')
  await symlink(join(outer, 'secret.txt'), join(copy, 'link.txt'))
  await symlink(outer, join(copy, 'folder'))
  for (const file of [
    '../secret.txt',
    '/etc/passwd',
    'a/../../secret.txt',
    'link.txt',
    'folder/secret.txt',
    '.',
    '/workspace',
  ]) {
    const { ok, text } = await parse({ files: file })
    assert.equal(ok, false, file)
    assert.doesNotMatch(text, /: secret$|root:|\/tmp\//)
    assert.match(text, /was not read\. It (?:lies outside|is no file)/)
  }
})

test('a long document is cut, and goes on where it was cut', async () => {
  const long = Array.from({ length: 5_000 }, (_, i) => `line ${i} 🙂`).join('\n')
  await write('long.txt', long)
  let whole = ''
  for (let from = 1; ; ) {
    const { text } = await parse({ files: 'long.txt', from })
    whole += text.slice(text.indexOf('\n\n') + 2)
    const next = /go on with from (\d+)\n/.exec(text)?.[1]
    if (next === undefined) break
    from = Number(next)
  }
  assert.equal(whole, long)
  assert.match((await parse({ files: 'long.txt', from: 90_000 })).text, /^long\.txt has \d+ characters/)
  assert.match((await parse({ files: ['long.txt', 'a.txt'], from: 2 })).text, /one file/)
})

// The original drops what does not fit when a large table is among the files.
test('files that do not fit together get an equal share, and short ones leave theirs to the others', async () => {
  assert.deepEqual(sharesOf([5, 100, 100], 105), [5, 50, 50])
  assert.deepEqual(sharesOf([100, 1], 50), [49, 1])
  assert.deepEqual(sharesOf([3, 4], 50), [3, 4])
  await write('one.txt', '1'.repeat(30_000))
  await write('two.txt', '2'.repeat(30_000))
  const { text } = await parse({ files: ['one.txt', 'two.txt', 'a.txt'] })
  assert.match(text, /^# one\.txt: characters 1-9997 of 30000; go on with from 9998\n/)
  assert.match(text, /^# two\.txt: characters 1-9997 of 30000; /m)
  assert.match(text, /Привет$/)
})

// The original caches by the path, so that a changed file gives its old text.
test('a file that changed under the same name is read anew', async () => {
  await write('changing.txt', 'old')
  await parse({ files: 'changing.txt' })
  await write('changing.txt', 'new')
  assert.match((await parse({ files: 'changing.txt' })).text, /new$/)
})

test('a content is read once, whatever it is called', async () => {
  let reads = 0
  const read = remembering(async () => ({ text: `${++reads}` }))
  const bytes = new Uint8Array()
  const ask = (name: string, sha256: string) => read({ name, bytes, sha256 }, context.signal)
  await ask('a.txt', 'x')
  await ask('b.TXT', 'x')
  assert.equal(reads, 1)
  await ask('a.csv', 'x')
  await ask('a.txt', 'y')
  assert.equal(reads, 3)
})

test('what was read long ago is forgotten before memory is full of it', async () => {
  let reads = 0
  const read = remembering(async () => ({ text: `${++reads}`.padEnd(6_000_000) }))
  for (const sha256 of ['a', 'b', 'a', 'c', 'a', 'b'])
    await read({ name: 'x.txt', bytes: new Uint8Array(), sha256 }, context.signal)
  assert.equal(reads, 4)
})

test('what failed is tried again', async () => {
  await write('later.zip', 'no archive')
  assert.equal((await parse({ files: 'later.zip' })).ok, false)
  await write('later.new', zipOf({ 'a.txt': 'inside' }))
  await rename(join(copy, 'later.new'), join(copy, 'later.zip'))
  assert.match((await parse({ files: 'later.zip' })).text, /inside$/)
})

test('a picture is told as one, and that the model is not shown it', async () => {
  await write('chart.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
  assert.match(
    (await parse({ files: 'chart.png' })).text,
    /was not read\. It is a PNG picture; you are shown text only/,
  )
})

test('a file of two gigabytes ends at a named limit and is not loaded', async () => {
  await write('huge.csv', '')
  await truncate(join(copy, 'huge.csv'), 2 ** 31)
  assert.match((await parse({ files: 'huge.csv' })).text, /2147483648 bytes; .*limit "bytes"/)
})
