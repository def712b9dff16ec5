import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plainText } from './terminal-text.ts'

// https://github.com/nex-agi/NexAU/issues/8 and https://github.com/cline/cline/issues/13346
const CLEANED: readonly [string, string, string][] = [
  ['colours', '\x1b[35m◒\x1b[39m Cloning\x1b[999D\x1b[J done', '◒ Cloning done'],
  ['true colours with colons', '\x1b[38:2:255:0:0mred\x1b[0m', 'red'],
  ['a line drawn again and again', '10%\r20%\r100%\nnext', '100%\nnext'],
  ['a redraw that ends with a return', 'working\rdone\r', 'done'],
  ['line ends of Windows', 'a\r\nb\r\n', 'a\nb\n'],
  ['a window title', '\x1b]0;title\x07text', 'text'],
  ['a link', '\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\', 'text'],
  ['a character set and a saved cursor', '\x1b(B\x1b7text\x1b8', 'text'],
  ['bells, backspaces, NULs and C1 characters', 'a\x07b\bc\0d\x85e', 'abcde'],
  ['what must stay', '\ttab\nüñ 漢 🙂', '\ttab\nüñ 漢 🙂'],
]
for (const [what, output, text] of CLEANED) test(`plain text: ${what}`, () => assert.equal(plainText(output), text))

test('nothing that steers a terminal is left, whatever the output', () => {
  const pieces = fc.array(fc.constantFrom('\x1b', '[', ']', '31m', '\r', '\n', '\x07', '\x9b', '\\', 'a', '\b', '\t'))
  fc.assert(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    fc.property(pieces, (parts) => assert.doesNotMatch(plainText(parts.join('')), /[\0-\x08\x0b-\x1f\x7f-\x9f]/)),
  )
})
