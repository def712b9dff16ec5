import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonLine, printable } from './printable.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const CONTROL = /[\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u

test('a terminal sequence, a turned direction and an invisible letter are shown as escapes', () => {
  assert.equal(printable('a\x1b[2Jb'), 'a\\x1b[2Jb')
  assert.equal(printable('x\u202egpj.exe'), 'x\\u{202e}gpj.exe')
  assert.equal(printable('pay\u200bpal\u{e0041}\ufe0f\u00ad'), 'pay\\u{200b}pal\\u{e0041}\\u{fe0f}\\xad')
  assert.equal(printable('50%\r100%\x07\x9b'), '50%\\r100%\\x07\\x9b')
})

test('what people write is left as it is', () => {
  const text = 'Größe: 5 µm\n\tsize → 中文 🙂 עברית\n'
  assert.equal(printable(text), text)
})

test('a whole emoji is shown as it is, and what only looks like a part of one as an escape', () => {
  const emoji = '👨‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏳️‍🌈'
  assert.equal(printable(emoji), emoji)
  assert.equal(printable('a\u200db 🙂\u{e0061}\u{e0062}'), 'a\\u{200d}b 🙂\\u{e0061}\\u{e0062}')
})

test('no text at all brings a control character through', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.doesNotMatch(printable(text).replaceAll(/[\t\n]/g, ''), CONTROL)
    }),
  )
})

test('a line of JSON hides nothing and reads back as the same value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = jsonLine({ text })
      assert.doesNotMatch(line, CONTROL)
      assert.deepEqual(JSON.parse(line), { text })
    }),
  )
})
