import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Json } from './json.ts'
import { literalIn } from './python-literal.ts'

const table: readonly [string, string, Json][] = [
  ['words of Python and of JSON', '[True, false, None, null]', [true, false, null, null]],
  ['tuples and sets as lists', "[('a', 1), {2, 3}, (4), (5,), ()]", [['a', 1], [2, 3], 4, [5], []]],
  ['dicts', `{'a': {"b": [1,]}, 'c': {},}`, { a: { b: [1] }, c: {} }],
  ['numbers', '[1, -2.5, 1e3, .5, +7, 0]', [1, -2.5, 1000, 0.5, 7, 0]],
  ['escapes; unknown ones keep their backslash', String.raw`'a\n\x41\u00e9\'\d+'`, `a\nAé'\\d+`],
  ['triple quotes', `"""say "hi" 'now'"""`, `say "hi" 'now'`],
  ['raw line breaks', "'a\nb'", 'a\nb'],
  ['quotes of the same kind where one reading fits', "'sed -n '1,2p' x.txt'", "sed -n '1,2p' x.txt"],
]
for (const [what, text, value] of table) test(`Python: ${what}`, () => assert.deepEqual(literalIn(text), value))

test('Python: what is no certain literal is not read', () => {
  const unclear = [
    "b'x'",
    "f'{x}'",
    'name',
    "'a' 'b'",
    "'a' + 'b'",
    '1e999',
    '12345678901234567890',
    '007',
    '1_000',
    "{'a': 1, 'a': 2}",
    '{1: 2}',
    '[1 2]',
    '[,]',
    "'open",
    String.raw`'\N{DASH}'`,
    'set()',
    '',
  ]
  for (const text of unclear) assert.equal(literalIn(text), undefined, text)
})

test('Python: what JSON writes is read as JSON reads it', () => {
  const value = fc.jsonValue({ maxDepth: 4, noUnicodeString: false }).map((each) => JSON.parse(JSON.stringify(each)))
  const isPlain = (text: string) => !/\d{16}|__proto__|\\\/|(?<!\\)"\s*"/.test(text)
  fc.assert(
    fc.property(value, (each) => {
      const text = JSON.stringify(each)
      fc.pre(isPlain(text) && !/-0(?![.\d])|e[+-]?\d/.test(text))
      assert.deepEqual(literalIn(text), each)
    }),
  )
})

test('Python: hostile nesting ends, and is not read', () => {
  for (const piece of ['[', '{', '(', "{'a':", '{"', "'", '{{', '("', "{'a',"])
    assert.equal(literalIn(piece.repeat(100_000)), undefined)
})
