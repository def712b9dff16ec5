import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '../core/request.ts'
import { native } from './native.ts'
import { parsedBy } from './protocol.contract.ts'

const parse = (part: Partial<Reply>) => parsedBy(native, part)
const look = { id: 'a', name: 'look', arguments: '{}' }

test('a reply with calls and text is calls, and keeps the text', () => {
  assert.deepEqual(parse({ text: 'Hm.', calls: [look] }), { kind: 'calls', text: 'Hm.', calls: [look] })
})

// https://github.com/langchain-ai/langchain/pull/40608
test('calls without an id get one each, in reply order', () => {
  const parsed = parse({
    calls: [
      { name: 'look', arguments: '{}' },
      { id: '', name: 'look', arguments: '{}' },
    ],
  })
  assert.deepEqual(parsed.kind === 'calls' && parsed.calls.map(({ id }) => id), ['made_0', 'made_1'])
  assert.ok(parsed.kind === 'calls' && parsed.calls.every(({ repeatOf }) => repeatOf === undefined))
})

test('one id with other arguments is another call, with the same arguments a repeat', () => {
  const parsed = parse({ calls: [look, { ...look, arguments: '{"x":1}' }, look] })
  assert.deepEqual(parsed.kind === 'calls' && parsed.calls.map(({ repeatOf }) => repeatOf), [undefined, undefined, 'a'])
})

test('text alone is a claim, its blanks trimmed; nothing at all is malformed', () => {
  assert.deepEqual(parse({ text: ' Oslo.\n' }), { kind: 'claim', text: ' Oslo.\n', answer: 'Oslo.' })
  assert.equal(parse({ text: ' \n' }).kind, 'malformed')
})

for (const finish of ['length', 'filtered', 'broken'] as const) {
  test(`a reply that ended with "${finish}" asks for nothing`, () => {
    assert.equal(parse({ text: 'All done', finish }).kind, 'malformed')
    assert.equal(parse({ calls: [look], finish }).kind, 'malformed')
  })
}

test('an observation with a call is the answer to it; without one it is sent as a user message', () => {
  const call = { id: 'a', name: 'look', arguments: '{}' }
  assert.deepEqual(native.render({ role: 'observation', text: 'seen', call }, []), { role: 'tool', text: 'seen', call })
  assert.deepEqual(native.render({ role: 'observation', text: 'no' }, []), { role: 'user', text: 'no' })
})
