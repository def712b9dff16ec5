import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentCalls } from './agent-calls.ts'
import { callsIn, parsedBy } from './protocol.contract.ts'

const parse = (text: string) => parsedBy(agentCalls, { text })

const read: readonly [string, string, readonly (readonly [string, unknown])[]][] = [
  ['arguments as text', '{"agent_calls":[{"agent":"look","args":"{\\"n\\":1}"}]}', [['look', { n: 1 }]]],
  ['a name as a chat command', '{"response":"","agent_calls":[{"agent":"/look","args":{}}]}', [['look', {}]]],
  ['an object in a fence and prose', 'Sure:\n```json\n{"agent_calls":[{"agent":"look"}],}\n```', [['look', {}]]],
  ['calls beside a response: the calls', '{"response":"Done!","agent_calls":[{"agent":"look"}]}', [['look', {}]]],
]
for (const [what, text, calls] of read)
  test(`agent-calls reads ${what}`, () => assert.deepEqual(callsIn(parse(text)), calls))

test('arguments that are no object are answered, not run', () => {
  const parsed = parse('{"agent_calls":[{"agent":"look","args":[1]}]}')
  assert.ok(parsed.kind === 'calls' && parsed.calls[0]?.problem !== undefined)
})

test('what is not certain is told what is expected', () => {
  const unclear = [
    'Hello.',
    '{"response": ""}',
    '{"agent_calls": "look"}',
    '{"agent_calls": [{"args": {}}]}',
    '{"response": "cut',
  ]
  for (const text of unclear) {
    const parsed = parse(text)
    assert.ok(parsed.kind === 'malformed', text)
    assert.match(parsed.observation, /"agent_calls"/)
  }
})

test('equal keys are refused, also where they were written loosely', () => {
  assert.equal(parse('{"response":"a","response":"b"}').kind, 'malformed')
  assert.equal(parse("{response: 'a', response: 'b: c'}").kind, 'malformed')
  assert.equal(parse("{response: 'b: c', /* d: */ agent_calls: []}").kind, 'claim')
})
