import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { docxOf, wordParagraph, zipOf } from '../../test/support/office.ts'
import type { JsonObject } from '../core/json.ts'
import { NO_USAGE } from '../core/usage.ts'
import type { Ask, AskMessage } from './ask.ts'
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
  const remembered = remembering()
  const bytes = new Uint8Array()
  const ask = (name: string, sha256: string) =>
    remembered({ name, bytes, sha256 }, async () => ({ text: `${++reads}` }))
  await ask('a.txt', 'x')
  await ask('b.TXT', 'x')
  assert.equal(reads, 1)
  await ask('a.csv', 'x')
  await ask('a.txt', 'y')
  assert.equal(reads, 3)
})

test('what was read long ago is forgotten before memory is full of it', async () => {
  let reads = 0
  const remembered = remembering()
  const read = async () => ({ text: `${++reads}`.padEnd(6_000_000) })
  for (const sha256 of ['a', 'b', 'a', 'c', 'a', 'b'])
    await remembered({ name: 'x.txt', bytes: new Uint8Array(), sha256 }, read)
  assert.equal(reads, 4)
})

test('what failed is tried again', async () => {
  await write('later.zip', 'no archive')
  assert.equal((await parse({ files: 'later.zip' })).ok, false)
  await write('later.new', zipOf({ 'a.txt': 'inside' }))
  await rename(join(copy, 'later.new'), join(copy, 'later.zip'))
  assert.match((await parse({ files: 'later.zip' })).text, /inside$/)
})

/** One grey point: 1 × 1. */
const POINT = Buffer.from('R0lGODdhAQABAIAAAICAgAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

test('a picture is told by its kind and size, and that the model is not shown it', async () => {
  await write('point.gif', POINT)
  await write('broken.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
  const { ok, text } = await parse({ files: ['point.gif', 'broken.png'] })
  assert.equal(ok, false)
  const unseen = 'you are shown text only, so nothing is known of what is on it.'
  assert.equal(
    text,
    `point.gif was not read. It is a GIF picture, 1 × 1 pixels, ${POINT.length} bytes; ${unseen}\n=======\n` +
      `broken.png was not read. It is a PNG picture, 8 bytes; ${unseen}`,
  )
})

/** A tool with a model that sees, which says these things one after the other. */
async function look(files: string | string[], replies: readonly (string | Error)[]) {
  const left = [...replies]
  const shown: (AskMessage | undefined)[] = []
  const ask: Ask = async ([, message]) => {
    shown.push(message)
    const reply = left.shift() ?? ''
    if (reply instanceof Error) throw reply
    return { text: reply, usage: { ...NO_USAGE, inputFresh: 10 } }
  }
  const seeing = parseFile({ view: { copy, protect: [] }, ask })
  const read = await seeing.validate({ files })
  assert.ok(read.ok)
  return { seeing, shown, result: await seeing.execute(read.input, context) }
}

test('with a model that sees, a picture is described once, told as described, and what that used is told', async () => {
  await write('point.gif', POINT)
  await write('same.gif', POINT)
  const { seeing, shown, result } = await look('point.gif', ['A grey point.'])
  assert.deepEqual(shown[0]?.pictures, [{ mediaType: 'image/gif', base64: POINT.toString('base64') }])
  const told = '[a GIF picture, 1 × 1 pixels, 35 bytes. You are shown text only; a model that sees it says:]'
  assert.ok(result.text.endsWith(`\n\n${told}\n\nA grey point.`), result.text)
  assert.equal(result.usage?.inputFresh, 10)
  const again = await seeing.execute({ files: ['same.gif'] }, context)
  assert.match(again.text, /A grey point\.$/)
  assert.deepEqual([shown.length, again.usage], [1, undefined])
})

test('a model that fails or says nothing, and a picture that it cannot be sent, are told', async () => {
  await write('point.gif', POINT)
  await write('scan.bmp', Buffer.concat([Buffer.from('BM'), Buffer.alloc(12), Buffer.from('('), Buffer.alloc(40)]))
  const failed = await look('point.gif', [new Error('no such model')])
  assert.match(failed.result.text, /It is a GIF picture, .*, and the model that sees failed: no such model$/)
  assert.match((await look('point.gif', [''])).result.text, /said nothing about it\.$/)
  const { shown, result } = await look('scan.bmp', [])
  assert.match(result.text, /a BMP picture.*; you are shown text only/)
  assert.equal(shown.length, 0)
})

test('a file of two gigabytes ends at a named limit and is not loaded', async () => {
  await write('huge.csv', '')
  await truncate(join(copy, 'huge.csv'), 2 ** 31)
  assert.match((await parse({ files: 'huge.csv' })).text, /2147483648 bytes; .*limit "bytes"/)
})
