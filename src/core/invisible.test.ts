import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { showInvisible } from './invisible.ts'

const tagged = (text: string): string =>
  Array.from(text, (c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')

const SHOWN: readonly [what: string, text: string, shown: string][] = [
  ['a sentence in tag characters', `pay Bob${tagged('!')}`, 'pay Bob⟨U+E0021⟩'],
  ['a name that is turned round', 'photo\u202egpj.exe', 'photo⟨U+202E⟩gpj.exe'],
  ['isolates and marks of direction', 'a\u2066b\u2069\u200f', 'a⟨U+2066⟩b⟨U+2069⟩⟨U+200F⟩'],
  ['zero-width characters', 'DE89\u200b3704\u200d\u2060\ufeff', 'DE89⟨U+200B⟩3704⟨U+200D⟩⟨U+2060⟩⟨U+FEFF⟩'],
  ['a soft hyphen', 'co\u00adoperate', 'co⟨U+00AD⟩operate'],
  ['variation selectors that select nothing', 'a\ufe0f\u{e0100}', 'a⟨U+FE0F⟩⟨U+E0100⟩'],
  ['Hangul fillers', '\u3164\uffa0\u115f', '⟨U+3164⟩⟨U+FFA0⟩⟨U+115F⟩'],
  ['tags behind a flag that is none', `\u{1f3f4}${tagged('x')}\u{e007f}`, '\u{1f3f4}⟨U+E0078⟩⟨U+E007F⟩'],
]
for (const [what, text, shown] of SHOWN) test(`shown: ${what}`, () => assert.equal(showInvisible(text), shown))

const KEPT: readonly [what: string, text: string][] = [
  ['plain text with tab and line ends', 'a\tb\r\nc'],
  ['other scripts', 'Привет, 北京, שלום, हिन्दी, ไทย, é'],
  ['a joined emoji', '👩‍👩‍👧‍👦 ❤️ 🏳️‍🌈 1️⃣'],
  ['the flag of Scotland', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ['emoji with a colour of skin', '👍🏽'],
]
for (const [what, text] of KEPT) test(`kept: ${what}`, () => assert.equal(showInvisible(text), text))

test('nothing is lost, and what is shown is not escaped again', () => {
  const pieces = fc.array(
    fc.constantFrom('a', 'é', '👍', '\u200b', '\u202e', '❤️', '\u{e0041}', '\ud800', '\u200d', '⟨'),
  )
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('')
      const shown = showInvisible(text)
      const back = shown.replaceAll(/⟨U\+([0-9A-F]+)⟩/g, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 16)),
      )
      assert.equal(back, text)
      assert.equal(showInvisible(shown), shown)
    }),
  )
})
