import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import JSON5 from 'json5'
import { MALFORMED } from '../../test/support/malformed-json.ts'
import type { Rung } from '../core/call.ts'
import type { JsonObject } from '../core/json.ts'
import { isFaithful } from './faithful.ts'
import { readLooseObject } from './loose-json.ts'

const readValue = (text: string): JsonObject | undefined => {
  const read = readLooseObject(text)
  return read.ok ? read.value : undefined
}

test('of forty malformed texts all are read as they were meant or refused, and none is read as something else', () => {
  assert.equal(MALFORMED.length, 40)
  for (const { what, text, meant } of MALFORMED)
    assert.deepEqual(readValue(text), typeof meant === 'string' ? undefined : meant, what)
})

const rungs: readonly [Rung, string][] = [
  ['strict', '{"a": 1}'],
  ['strict', '```json\n{"a": 1}\n```'],
  ['cut', 'So: {"a": 1}.'],
  ['escape', String.raw`{"a": "\d"}`],
  ['json5', "{a: '1',}"],
  ['repair', '{"a": True}'],
]
for (const [rung, text] of rungs)
  test(`the ladder says on which rung it stood: ${rung} for ${JSON.stringify(text)}`, () => {
    const read = readLooseObject(text)
    assert.equal(read.ok && read.rung, rung)
  })

const refused: readonly [string, string, RegExp][] = [
  ['what has no end', '{"a": {"b": 1}', /no end/],
  ['what goes on behind its end, as a quote in a text makes it seem', '{"a": "say "}" now"}', /goes on behind/],
  ['more closed than was opened', '{"a": 1}}', /goes on behind/],
  ['a second object', '{"a": 1}, {"a": 2}', /second object/],
  ['a list', '[{"a": 1}]', /one object in braces/],
  ['a loose list', "[{'a': 1}]", /not valid JSON/],
  ['backslashes meant in two ways', String.raw`{"a": "\$5\n"}`, /not certain what the backslashes/],
  ['a quote that is escaped for another language', String.raw`{"a": "it\'s"}`, /not certain what the backslashes/],
  ['half an escape', String.raw`{"a": "\u12"}`, /not certain what the backslashes/],
  ['a number that would be rounded', '{"a": 12345678901234567890,}', /cannot be held exactly/],
  ['a number that is none', '{"a": NaN}', /not valid JSON/],
  ['a bare word, which may be a text or a name', '{"a": Paris}', /not valid JSON/],
  ['two texts side by side in a list, which may be one', '{"a": ["b" "c"]}', /not valid JSON/],
  ['two numbers side by side', '{"a": [1 2]}', /not valid JSON/],
  ['a comma for nothing', '{"a": [1,,2]}', /not valid JSON/],
  ['equal keys, of which JSON5 keeps the last', '{a: 1, a: 2}', /"a" appears twice/],
  ['a text that misses its quote', '{"a": "foo, "b": "bar"}', /no end/],
  ['a word for nothing that is not JSON', '{"a": undefined}', /not valid JSON/],
]
for (const [what, text, problem] of refused)
  test(`the ladder refuses ${what}`, () => {
    const read = readLooseObject(text)
    assert.match(read.ok ? JSON.stringify(read.value) : read.problem, problem)
  })

const objects = fc
  .dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 }))
  .filter((value) => !/__proto__|constructor|prototype/.test(JSON.stringify(value)))

test('what JSON5 writes is read as it reads it, or refused', () => {
  const quote = fc.constantFrom('"', "'")
  fc.assert(
    fc.property(objects, quote, fc.constantFrom(0, 2), (value, quote, space) => {
      const text = JSON5.stringify(value, { quote, space })
      const read = readValue(text)
      if (read !== undefined) assert.deepEqual(read, JSON5.parse(text))
    }),
  )
})

test('an object that is cut anywhere is refused', () => {
  fc.assert(
    fc.property(objects, fc.nat(), (value, at) => {
      const text = JSON.stringify(value)
      assert.equal(readValue(text.slice(0, at % text.length)), undefined)
    }),
  )
})

const unfaithful: readonly [string, string, string][] = [
  ['closes what was not closed', '{"a": {"b": 1}', '{"a": {"b": 1}}'],
  ['drops what was written', '{"a": [1, ...]}', '{"a": [1]}'],
  ['adds what was not written', '{"a" 1}', '{"a": 1}'],
  ['makes a text of a bare word', '{"a": b}', '{"a": "b"}'],
  ['drops a backslash', String.raw`{"a": "\d"}`, '{"a": "d"}'],
  ['changes a number', '{"a": 1.5}', '{"a": 1}'],
  ['changes a text', '{"a": "b "}', '{"a": "b"}'],
  ['turns a word into another', '{"a": TRUE}', '{"a": true}'],
  ['joins texts', '{"a": "b" + "c"}', '{"a": "bc"}'],
  ['opens a text where another may end', '{"a": "b", "c"}', String.raw`{"a": "b\", \"c"}`],
]
for (const [what, written, json] of unfaithful)
  test(`a reading is not faithful that ${what}`, () => assert.equal(isFaithful(written, json), false))
