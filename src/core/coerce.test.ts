import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { coerce } from './coerce.ts'
import type { Json, JsonObject } from './json.ts'

const schema = (properties: Record<string, Json>): JsonObject => ({ type: 'object', properties })
const pair: JsonObject = schema({ oldText: { type: 'string' }, line: { type: 'integer' } })

const table: readonly [string, Json, Json, Json][] = [
  ['a number in quotes', { type: 'number' }, '2.5e3', 2500],
  ['an integer in quotes', { type: 'integer' }, ' 200000 ', 200_000],
  ['an integer for a number', { type: 'number' }, '7', 7],
  ['truth in any case', { type: 'boolean' }, 'True', true],
  ['null where it may stand', { type: ['integer', 'null'] }, 'null', null],
  // https://github.com/AtomicBot-ai/atomic-agent/issues/182
  ['a list in quotes', { type: 'array' }, '["a.png","b.png"]', ['a.png', 'b.png']],
  ['an object in quotes', { type: 'object' }, '{"User-Agent":"x"}', { 'User-Agent': 'x' }],
  // https://github.com/anomalyco/opencode/issues/8249
  [
    'a list of objects in quotes, numbers in it too',
    { type: 'array', items: pair },
    '[{"oldText":"1","line":"2"}]',
    [{ oldText: '1', line: 2 }],
  ],
  // https://github.com/coctostan/pi-hashline-readmap/issues/145
  ['raw line breaks in it', { type: 'array' }, '[\n{"t":"a\nb"}\n]', [{ t: 'a\nb' }]],
  ['one of several types', { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, '5', 5],
  ['a listed number', { enum: [1, 2] }, '2', 2],
  ['a whole number with leading zeros', { type: 'integer' }, '-007', -7],
  ['a list as Python writes it', { type: 'array' }, "[True, 'a', None]", [true, 'a', null]],
  ['a list half Python, half JSON', { type: 'array' }, "[true, 'a']", [true, 'a']],
  ['an object as Python writes it', { type: 'object' }, "{'a': (1, 2)}", { a: [1, 2] }],
  ['nothing as Python writes it', { oneOf: [{ type: 'integer' }, { type: 'null' }] }, 'None', null],
  [
    'numbers inside the one alternative that describes them',
    { anyOf: [{ type: 'null' }, pair] },
    { line: '2' },
    { line: 2 },
  ],
]
for (const [what, wanted, given, value] of table)
  test(`reads ${what}, and says so`, () => {
    const read = coerce({ x: given }, schema({ x: wanted }))
    assert.deepEqual(read.value, { x: value })
    assert.ok(read.notes.length >= 1 && read.notes.every((note) => note.includes('"x')))
  })

const kept: readonly [string, Json, Json][] = [
  // https://github.com/Avick3110/houseCARL/pull/39
  ['a text that looks like a list, where a text is wanted', { type: 'string' }, '["A","B"]'],
  ['a text that looks like a number, where a text may stand', { type: ['string', 'number'] }, '42'],
  ['a text that begins like a list', { type: 'array' }, '[Bracketed Name.esp'],
  ['a fraction where an integer is wanted', { type: 'integer' }, '1.5'],
  ['a date where an integer is wanted', { type: 'integer' }, '2026-01-15'],
  ['a number too large to hold', { type: 'integer' }, '12345678901234567890'],
  ['a number where a text is wanted', { type: 'string' }, 42],
  ['one value where a list is wanted', { type: 'array' }, 'a'],
  ['anything where the schema does not say', {}, '5'],
  ['a number beyond what can be held', { type: 'number' }, '1e999'],
  ['an empty text', { type: 'integer' }, ''],
  ['what could be inside two alternatives', { anyOf: [pair, pair] }, { line: '2' }],
  ['a text twice in quotes', { type: 'array' }, '"[1]"'],
]
for (const [what, wanted, given] of kept)
  test(`leaves ${what}`, () =>
    assert.deepEqual(coerce({ x: given }, schema({ x: wanted })), { value: { x: given }, notes: [] }))

test('arguments that are wrapped once more are unwrapped, unless the tool has such an argument', () => {
  const wrapped = { arguments: { x: 1 } }
  assert.deepEqual(coerce(wrapped, schema({ x: { type: 'integer' } })).value, { x: 1 })
  assert.deepEqual(coerce({ input: '{"x": "1"}' }, schema({ x: { type: 'integer' } })).value, { x: 1 })
  assert.deepEqual(coerce(wrapped, schema({ arguments: { type: 'object' } })).value, wrapped)
})

const untyped: readonly [string, Json, string, Json][] = [
  ['a number for a number or a text', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, '5', 5],
  ['null for a text or null', { type: ['string', 'null'] }, 'null', null],
  ['words for a text or null', { type: ['string', 'null'] }, 'nothing', 'nothing'],
  ['a number for a text', { type: 'string' }, '42', '42'],
  ['null for a text', { type: 'string' }, 'null', 'null'],
  ['anything where the schema does not say', {}, '5', '5'],
]
for (const [what, wanted, given, value] of untyped)
  test(`reads untyped ${what}`, () =>
    assert.deepEqual(coerce({ x: given }, schema({ x: wanted }), { untyped: true }).value, { x: value }))

test('a value that fits its schema is never changed', () => {
  const fitting = fc.record({
    text: fc.string(),
    number: fc.integer(),
    flag: fc.boolean(),
    list: fc.array(fc.string()),
  })
  const types = { text: 'string', number: 'integer', flag: 'boolean' }
  const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
  const wanted = schema({ ...properties, list: { type: 'array', items: { type: 'string' } } })
  fc.assert(
    fc.property(fitting, (value) => assert.deepEqual(coerce({ ...value }, wanted), { value: { ...value }, notes: [] })),
  )
})
