import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toolName, wireName } from './wire-names.ts'

const named = (...names: string[]) => names.map((name) => ({ name }))

test('a name that a service takes is sent as it is; dots and slashes become underscores', () => {
  const tools = named('read_file', 'files.read', 'web/search')
  assert.deepEqual(
    tools.map(({ name }) => wireName(name, tools)),
    ['read_file', 'files_read', 'web_search'],
  )
  assert.equal(toolName('files_read', tools), 'files.read')
  assert.equal(toolName('files.read', tools), 'files.read')
})

test('names that would become one get a suffix, and a name too long is cut before it', () => {
  const tools = named('a_b', 'a.b', 'a/b', 'x'.repeat(65))
  const sent = tools.map(({ name }) => wireName(name, tools))
  assert.equal(sent[0], 'a_b')
  for (const wire of sent.slice(1)) assert.match(wire, /^(a_b|x{55})_[0-9a-f]{8}$/)
  assert.equal(toolName('a_b', tools), 'a_b')
})

test('a name that belongs to no tool stays, properties of every object too', () => {
  for (const name of ['look', 'constructor', '__proto__', 'no such.thing']) {
    assert.equal(toolName(name, named('a.b')), name)
    assert.equal(wireName(name, named('a.b')), name)
  }
})

// Names made of few pieces, so that doubles are the rule; some look like names with a suffix.
const piece = fc.constantFrom('a', 'b', '.', '/', '_', ':', 'é', '工', 'x'.repeat(60), '_ca978112', 'constructor')
const name = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))

test('any set of names is sent under names that services take, no two the same, and each leads back', () => {
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 30 }), (names) => {
      const tools = named(...names)
      const sent = names.map((each) => wireName(each, tools))
      assert.equal(new Set(sent).size, names.length)
      for (const [at, wire] of sent.entries()) {
        assert.match(wire, /^[A-Za-z0-9_-]{1,64}$/)
        assert.equal(toolName(wire, tools), names[at])
      }
      const turned = named(...names.toReversed())
      if (names.every((each) => !/_[0-9a-f]{8}/.test(each)))
        assert.deepEqual(
          names.map((each) => wireName(each, turned)),
          sent,
        )
    }),
  )
})

test('a suffix that a tool already has for a name is not given away', () => {
  const [double = ''] = named('a.b', 'a/b').map(({ name }) => wireName(name, named('a.b', 'a/b')))
  const tools = named('a.b', 'a/b', double)
  assert.equal(new Set(tools.map(({ name }) => wireName(name, tools))).size, 3)
  assert.equal(toolName(double, tools), double)
})
