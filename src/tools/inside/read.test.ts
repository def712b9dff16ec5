import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { read } from './read.ts'
import type { ReadAnswer, ReadRequest } from './request.ts'

const newFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'tao-read-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
const ask = (path: string, more: Partial<ReadRequest> = {}): ReadRequest => ({
  ...{ path, fromLine: 1, fromColumn: 1, lines: 1000, maxCharacters: 100 },
  ...more,
})

function readContent(content: string | Buffer, more: Partial<ReadRequest> = {}): ReadAnswer {
  using folder = newFolder()
  writeFileSync(join(folder.path, 'file'), content)
  return read(folder.path, ask('file', more))
}

const SHOWN: readonly [string, string | Buffer, Partial<ReadRequest>, Partial<ReadAnswer>][] = [
  ['a whole file', 'a\nb\n', {}, { text: 'a\nb', firstLine: 1, lastLine: 2, totalLines: 2, remarks: [] }],
  ['a last line without a line end', 'a\nb', {}, { text: 'a\nb', totalLines: 2 }],
  [
    'some lines, and where to go on',
    'a\nb\nc\n',
    { fromLine: 2, lines: 1 },
    { text: 'b', lastLine: 2, next: { line: 3, column: 1 } },
  ],
  ['as many lines as fit', `${'x'.repeat(60)}\n${'y'.repeat(60)}\n`, {}, { lastLine: 1, next: { line: 2, column: 1 } }],
  ['CRLF as LF, and says so', 'a\r\nb\r\n', {}, { text: 'a\nb', remarks: ['CRLF line ends'] }],
  ['mixed line ends, and says so', 'a\r\nb\n', {}, { text: 'a\nb', remarks: ['mixed line ends: 1 of 2 are CRLF'] }],
  ['a bare CR as it is', 'a\rb\n', {}, { text: 'a\rb', totalLines: 1 }],
  ['no byte order mark, and says so', '\ufeffa\n', {}, { text: 'a', remarks: ['starts with a byte order mark'] }],
  [
    'bytes that are no UTF-8 as such',
    Buffer.from([0x61, 0xff, 0x0a]),
    {},
    { text: 'a\ufffd', remarks: ['not valid UTF-8: such bytes are shown as \ufffd'] },
  ],
  ['control characters as they are', 'a\x1b[2Kb\x07\n', {}, { text: 'a\x1b[2Kb\x07' }],
  // https://github.com/openclaw/openclaw/issues/121828
  ['an empty file as no lines', '', {}, { text: '', lastLine: 0, totalLines: 0, bytes: 0 }],
  // https://github.com/apache/maka/pull/116
  [
    'a binary file as its kind',
    Buffer.from('89504e470d0a1a0a00', 'hex'),
    {},
    { text: '', binary: 'PNG image', bytes: 9 },
  ],
  ['a NUL as binary', 'text\0text', {}, { binary: 'unknown kind' }],
]
for (const [what, content, more, expected] of SHOWN)
  test(`read shows ${what}`, () => {
    assert.partialDeepStrictEqual(readContent(content, more), expected)
  })

// https://github.com/mateaix/mateclaw/issues/190
test('a line that is too long is cut, with the column to go on from, and never stops the reader', () => {
  const line = `${'x'.repeat(99)}🙂${'y'.repeat(150)}`
  const content = `first\n${line}\nlast\n`
  const parts: string[] = []
  for (let column: number | undefined = 1; column !== undefined; ) {
    const answer = readContent(content, { fromLine: 2, fromColumn: column })
    parts.push(answer.text.split('\n')[0] ?? '')
    assert.ok(answer.next === undefined || answer.next.column > column)
    column = answer.next?.column
  }
  assert.equal(parts.join(''), line)
  assert.equal(readContent(content, { fromLine: 2 }).longLine, line.length)
})

test('reading on until the end shows every line once', () => {
  const lines = fc.array(fc.string({ unit: fc.constantFrom('a', '🙂', '\t', 'é'), maxLength: 30 }), { minLength: 1 })
  fc.assert(
    fc.property(lines, fc.integer({ min: 2, max: 40 }), (written, maxCharacters) => {
      const whole = `${written.join('\n')}\n`
      let shown = ''
      for (let next: ReadAnswer['next'] = { line: 1, column: 1 }; next !== undefined; ) {
        const answer: ReadAnswer = readContent(whole, { fromLine: next.line, fromColumn: next.column, maxCharacters })
        shown += answer.text + (answer.next?.line === answer.lastLine ? '' : '\n')
        next = answer.next
      }
      assert.equal(shown, whole)
    }),
    { numRuns: 60 },
  )
})

test('a place that is not in the file is a sentence with what there is', () => {
  assert.throws(() => readContent('a\n', { fromLine: 2 }), { message: '"file" has 1 lines, so there is no line 2.' })
  assert.throws(() => readContent('abc\n', { fromColumn: 9 }), {
    message: 'Line 1 has 3 characters, so there is no column 9.',
  })
})

// https://github.com/openclaw/openclaw/issues/121828 and https://github.com/NousResearch/hermes-agent/pull/82075
test('what is no regular file is refused at once, each with its kind', async () => {
  using folder = newFolder()
  mkdirSync(join(folder.path, 'sub'))
  execFileSync('mkfifo', [join(folder.path, 'pipe')])
  const server = createServer().listen(join(folder.path, 'sock'))
  await new Promise((resolve) => server.once('listening', resolve))
  const refused = (path: string, message: RegExp) => assert.throws(() => read(folder.path, ask(path)), message)
  refused('sub', /"sub" is a folder. Use list_files/)
  refused('pipe', /"pipe" is a named pipe, not a regular file/)
  refused('sock', /"sock" is a socket, not a regular file/)
  refused('none', /"none" does not exist/)
  assert.throws(() => read('/dev', ask('zero')), /"zero" is a device, not a regular file/)
  await new Promise((resolve) => server.close(resolve))
})

test('a file over the cap is refused with its size, however little of it is stored', () => {
  using folder = newFolder()
  const sparse = join(folder.path, 'sparse')
  writeFileSync(sparse, '')
  truncateSync(sparse, 8 * 2 ** 30)
  assert.throws(() => read(folder.path, ask('sparse')), /has 8589934592 bytes; at most 16777216 can be opened/)
})

test('a file of the kernel that says it is empty is read to its end', () => {
  assert.match(read('/proc', ask('version')).text, /Linux/)
})

test('a link inside the folder is followed and named by its target', () => {
  using folder = newFolder()
  writeFileSync(join(folder.path, 'real'), 'a\n')
  symlinkSync('real', join(folder.path, 'link'))
  assert.equal(read(folder.path, ask('link')).path, 'real')
})
