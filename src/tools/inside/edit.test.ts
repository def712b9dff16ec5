import assert from 'node:assert/strict'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { edit } from './edit.ts'
import { sha256 } from './open-file.ts'
import type { EditAnswer, EditRequest } from './request.ts'

const newFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'tao-edit-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
const ask = (oldText: string, newText: string, more: Partial<EditRequest> = {}): EditRequest => ({
  ...{ path: 'file', oldText, newText, replaceAll: false },
  ...more,
})

function editContent(content: string | Buffer, request: EditRequest): { after: Buffer; answer: EditAnswer } {
  using folder = newFolder()
  const path = join(folder.path, 'file')
  writeFileSync(path, content)
  const answer = edit(folder.path, request)
  assert.deepEqual(readdirSync(folder.path), ['file'], 'nothing else is left in the folder')
  return { after: readFileSync(path), answer }
}
const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

const BYTES: readonly [string, string | Buffer, EditRequest, string | Buffer][] = [
  // https://github.com/anomalyco/opencode/issues/45892 and https://github.com/withastro/flue/issues/508
  ['$& is text', 'log("done");', ask('done', "$& $$ $` $' $1 ok"), 'log("$& $$ $` $\' $1 ok");'],
  ['an old text with pattern characters is text', 'a.*b', ask('.*', '+'), 'a+b'],
  ['an empty new text removes', 'abc', ask('b', ''), 'ac'],
  ['everything may go', 'abc', ask('abc', ''), ''],
  // https://github.com/earendil-works/pi/issues/2744
  ['LF finds CRLF, and CRLF stays', '\ufeffa\r\n\tb\r\n', ask('a\n\tb', 'a\n\tc\n\td'), '\ufeffa\r\n\tc\r\n\td\r\n'],
  ['CRLF finds LF, and LF stays', 'a\nb\n', ask('a\r\nb', 'a\r\nx\r\nb'), 'a\nx\nb\n'],
  ['a byte order mark in both texts is the file’s', '\ufeffa\n', ask('\ufeffa', '\ufeffb'), '\ufeffb\n'],
  // https://github.com/openclaw/openclaw/pull/116011
  ['mixed line ends stay where they are', 'a\r\nb\nc\r\n', ask('b', 'x'), 'a\r\nx\nc\r\n'],
  ['mixed line ends inside the old text stay', 'a\r\nb\nc\r\n', ask('a\nb\nc', 'a\nx\nc'), 'a\r\nx\nc\r\n'],
  ['a bare CR is data', '10%\r20%\r\nend\n', ask('end', 'END'), '10%\r20%\r\nEND\n'],
  ['new lines take the style of their place: CRLF', 'a\r\nb\nc\n', ask('a', 'a\na2'), 'a\r\na2\r\nb\nc\n'],
  ['new lines take the style of their place: LF', 'a\r\nb\nc\n', ask('c', 'c\nd'), 'a\r\nb\nc\nd\n'],
  ['new lines at an end without line end take the style before', 'a\r\nb', ask('b', 'b\nc'), 'a\r\nb\r\nc'],
  ['a file of one line takes the new text’s own style', 'a', ask('a', 'a\r\nb'), 'a\r\nb'],
  ['a line end alone can be removed', 'a\r\nb\r\n', ask('a\nb', 'ab'), 'ab\r\n'],
  ['bytes that are no UTF-8 stay', latin('\xff\xfe a \x80\n'), ask('a', 'é'), latin('\xff\xfe \xc3\xa9 \x80\n')],
  ['characters of four bytes', 'x🙂y', ask('🙂', '🙃'), 'x🙃y'],
  ['every occurrence', 'a a\na', ask('a', 'aa', { replaceAll: true }), 'aa aa\naa'],
  ['occurrences that overlap are taken from the left', 'aaa', ask('aa', 'b', { replaceAll: true }), 'ba'],
]
for (const [what, before, request, after] of BYTES)
  test(`edit keeps every other byte: ${what}`, () => {
    assert.equal(editContent(before, request).after.toString('latin1'), Buffer.from(after).toString('latin1'))
  })

test('untouched bytes are identical, and the new text is there, whatever the file holds', () => {
  const bytes = fc.array(fc.constantFrom('\r', '\n', '\r\n', 'b', ' ', '\xff', '\xc3\xa9', '\t', '$&'), {
    maxLength: 30,
  })
  const oldText = fc.array(fc.constantFrom('\n', 'x', '$', 'é'), { maxLength: 5 }).map((parts) => `<${parts.join('')}>`)
  const newText = fc
    .array(fc.constantFrom('\n', '\r\n', 'y', '$&', 'ü'), { maxLength: 5 })
    .map((parts) => parts.join(''))
  const style = fc.constantFrom('\n', '\r\n')
  fc.assert(
    fc.property(bytes, bytes, oldText, newText, style, (head, tail, before, after, lineEnd) => {
      const start = latin(head.join(''))
      const end = latin(tail.join(''))
      const content = Buffer.concat([start, Buffer.from(before.replaceAll('\n', lineEnd)), end])
      const result = editContent(content, ask(before, after)).after
      assert.deepEqual(result.subarray(0, start.length), start)
      assert.deepEqual(result.subarray(result.length - end.length), end)
      const middle = result.subarray(start.length, result.length - end.length).toString()
      assert.equal(middle.replaceAll('\r\n', '\n'), after.replaceAll('\r\n', '\n'))
    }),
    { numRuns: 150 },
  )
})

const REFUSED: readonly [string, string | Buffer, EditRequest, RegExp][] = [
  ['an empty old text', 'a', ask('', 'b'), /old_text is empty/],
  ['equal texts', 'a', ask('a', 'a'), /nothing to change/],
  ['texts that differ only in line ends', 'a\r\nb', ask('a\nb', 'a\r\nb'), /Nothing would change/],
  [
    'two occurrences, with their lines',
    'a\nb\na\n',
    ask('a', 'c'),
    /occurs 2 times in "file", on lines 1, 3. Quote more/,
  ],
  ['occurrences that overlap', 'aaa', ask('aa', 'b'), /occurs 2 times/],
  // https://github.com/anthropics/claude-code/issues/28831
  [
    'white space that differs, with the true lines',
    'if x:\n\tone\n\ttwo\n',
    ask('    one\n    two', 'b'),
    /differs only in white space or line ends from lines 2-3, exactly:\n\tone\n\ttwo$/,
  ],
  ['white space inside a line', 'x = a  +  b\n', ask('a + b', 'c'), /from line 1, exactly:\nx = a {2}\+ {2}b$/],
  [
    'a text that is nearly there, with the nearest line',
    'alpha\nfunction total(items) {\nomega\n',
    ask('function totals(item) {', 'b'),
    /not found in "file". The nearest line is line 2:\nfunction total\(items\) \{$/,
  ],
  ['a text that is nowhere', 'alpha\n', ask('zzz qqq', 'b'), /No line of the file is like it/],
  ['a binary file', 'a\0b', ask('a', 'b'), /is a binary file/],
  [
    'a file that changed since it was read',
    'a',
    ask('a', 'b', { seen: sha256(latin('x')) }),
    /has changed since it was last read/,
  ],
]
for (const [what, content, request, message] of REFUSED)
  test(`edit refuses ${what}`, () => {
    using folder = newFolder()
    writeFileSync(join(folder.path, 'file'), content)
    assert.throws(() => edit(folder.path, request), message)
    assert.deepEqual(readFileSync(join(folder.path, 'file')), Buffer.from(content))
  })

test('a text quoted with the code of an invisible character is told how to write that character', () => {
  const message = /⟨U\+200B⟩ is how an invisible character is shown; .* Write it as \\u200b in the JSON of the call/
  assert.throws(() => editContent('a\u200bb\n', ask('a⟨U+200B⟩b', 'ab')), message)
  const astral = /Write it as \\udb40\\udc01 in the JSON/
  assert.throws(() => editContent('a\u{e0001}b\n', ask('a⟨U+E0001⟩b', 'ab')), astral)
  assert.equal(editContent('a⟨U+200B⟩b', ask('a⟨U+200B⟩b', 'ab')).after.toString(), 'ab')
})

test('a file that is as it was read may be edited', () => {
  const { answer } = editContent('a', ask('a', 'b', { seen: sha256(latin('a')) }))
  assert.equal(answer.sha256, sha256(latin('b')))
})

test('the answer says which lines changed, as they are now', () => {
  const { answer } = editContent('1\n2\n3\n4\n5\n6\n7\n', ask('4\n', 'four\n4b\n'))
  assert.deepEqual(answer.changes, [
    { line: 4, removed: 1, added: 2, contextFrom: 2, context: ['2', '3', 'four', '4b', '5', '6'] },
  ])
  assert.equal(answer.totalLines, 8)
})

test('of many changes the lines are those of the finished file', () => {
  const { answer } = editContent('a\nb\na\nb\na\nb\na\n', ask('a', 'x\nx', { replaceAll: true }))
  assert.equal(answer.replaced, 4)
  assert.deepEqual(
    answer.changes.map(({ line }) => line),
    [1, 4, 7],
  )
})

// https://github.com/Digital-Process-Tools/claude-supertool/issues/259 and https://github.com/gi-dellav/zerostack/pull/112
test('mode and link stay, the target is edited, a second name is said, read-only is refused', () => {
  using folder = newFolder()
  const at = (name: string) => join(folder.path, name)
  writeFileSync(at('script'), 'a')
  chmodSync(at('script'), 0o755)
  symlinkSync('script', at('link'))
  const answer = edit(folder.path, ask('a', 'b', { path: 'link' }))
  assert.equal(answer.path, 'script')
  assert.equal(statSync(at('script')).mode & 0o7777, 0o755)
  assert.equal(lstatSync(at('link')).isSymbolicLink(), true)
  linkSync(at('script'), at('twin'))
  assert.match(edit(folder.path, ask('b', 'c', { path: 'twin' })).remarks.join(), /another name/)
  chmodSync(at('script'), 0o444)
  assert.throws(() => edit(folder.path, ask('b', 'c', { path: 'script' })), /read-only|permissions/)
  assert.throws(() => edit(folder.path, ask('b', 'c', { path: 'none' })), /does not exist. Use write_file/)
})
