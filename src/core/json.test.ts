import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readJson } from './json.ts'

const refused: readonly [string, string, RegExp][] = [
  ['equal keys, of which JSON.parse keeps the last', '{"to":"a","to":"b"}', /"to" appears twice/],
  ['equal keys written differently', '{"a":1,"\\u0061":2}', /"a" appears twice/],
  ['equal keys deep inside', '[{"x":{"k":1,"k":1}}]', /"k" appears twice/],
  ['a key that reaches prototypes', '{"a":{"__proto__":{"admin":true}}}', /"__proto__" is not allowed/],
  ['such a key in escapes', '{"\\u005f_proto__":1}', /"__proto__" is not allowed/],
  ['the key constructor', '{"constructor":{"prototype":{}}}', /"constructor" is not allowed/],
  ['a number that becomes infinite', '[1e400]', /1e400 cannot be held exactly/],
  ['an integer that would be rounded', '{"id":12345678901234567890}', /12345678901234567890 cannot be held exactly/],
  ['too many levels', '['.repeat(33) + ']'.repeat(33), /deeper than 32/],
  ['too many keys', `[${'{"a":1},'.repeat(1001)}0]`, /more than 1000 keys/],
  ['too many characters', `"${'x'.repeat(1_000_000)}"`, /1000002 characters; 1000000 are allowed/],
  ['text that is no JSON', '{"a": tru}', /not valid JSON/],
  ['an assignment', 'query = """select 1"""', /not valid JSON/],
]

for (const [name, text, problem] of refused) {
  test(`refuses ${name}`, () => {
    const read = readJson(text)
    assert.ok(!read.ok)
    assert.match(read.problem, problem)
  })
}

test('the same key in two objects, and braces and colons in strings, are fine', () => {
  const text = '[{"a":"{\\"a\\": [1:"},{"a":"}"},{"b":{"a":1.5e3}}]'
  assert.deepEqual(readJson(text), { ok: true, value: JSON.parse(text) })
})

test('whatever JSON can write and holds no forbidden key is read as JSON.parse reads it', () => {
  const value = fc
    .jsonValue({ maxDepth: 6 })
    .filter((each) => !/__proto__|constructor|prototype/.test(JSON.stringify(each)))
  fc.assert(
    fc.property(value, (each) => {
      const text = JSON.stringify(each)
      const read = readJson(text)
      if (!read.ok) assert.match(read.problem, /cannot be held exactly/)
      else assert.deepEqual(read.value, JSON.parse(text))
    }),
  )
})
