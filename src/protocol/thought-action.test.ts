import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callsIn, parsedBy, whole } from './protocol.contract.ts'
import { thoughtAction } from './thought-action.ts'

const parse = (text: string) => parsedBy(thoughtAction, { text })

const read: readonly [string, string, readonly [string, unknown]][] = [
  ['an object', 'Thought: hm\nAction: {"name": "look", "arguments": {"n": 1}}', ['look', { n: 1 }]],
  ['an object of the older form', 'Action: {"action": "look", "action_input": {"n": 1}}', ['look', { n: 1 }]],
  ['a name and an input', 'Action: look\nAction Input: {"n": 1}', ['look', { n: 1 }]],
  // https://github.com/SWE-agent/mini-swe-agent/pull/530
  ['an object in a fence', 'Action:\n```json  \r\n{"name":"look"}\r\n```', ['look', {}]],
  ['bold and numbered labels', '**Thought 2:** hm\n**Action 2:** look\n**Action Input 2:** {}', ['look', {}]],
  ['Russian', 'Мысль: посмотрю\nДействие: look\nВвод действия: {"n": 1}', ['look', { n: 1 }]],
  ['Chinese', '思考：看看\n行动：look\n行动输入：{"n": 1}', ['look', { n: 1 }]],
  ['no input', 'Action: look', ['look', {}]],
]
for (const [what, text, call] of read)
  test(`thought-action reads ${what}`, () => assert.deepEqual(callsIn(parse(text)), [call]))

// https://github.com/run-llama/llama_index/issues/11518
test('an observation and an answer that the model invents are cut off: the first action runs, nothing else is read', () => {
  const parsed = parse(
    'Thought: t\nAction: look\nAction Input: {"a":1}\nObservation: 46\nThought: so\nFinal Answer: 46',
  )
  assert.deepEqual(callsIn(parsed), [['look', { a: 1 }]])
  assert.doesNotMatch(parsed.text, /46/)
})

// https://github.com/langchain-ai/langchain/issues/20704
test('an action wins over an answer beside it', () => {
  assert.deepEqual(callsIn(parse('Action: look\nAction Input: {}\nFinal Answer: 5')), [['look', {}]])
})

// https://github.com/stanfordnlp/dspy/issues/535
test('a numbered observation on the line of the action is not swallowed by its argument', () => {
  const tools = [
    { name: 'ask', description: '', parameters: { type: 'object', properties: { who: { type: 'string' } } } },
  ]
  const text = 'Action 2: ask[the chief] Observation 2: The paper reads: "…"'
  const parsed = thoughtAction.parse(whole({ text }), { tools, freshId: () => 'a' })
  assert.deepEqual(callsIn(parsed), [['ask', { who: 'the chief' }]])
})

// https://github.com/QwenLM/Qwen3/issues/197
test('a beginning of the stop word that leaked is no part of the argument', () => {
  assert.deepEqual(callsIn(parse('Action: look\nAction Input: {"q": "abc"}\nObserv')), [['look', { q: 'abc' }]])
})

// https://github.com/eosphoros-ai/DB-GPT/pull/3074
test('of several rounds the first action runs; an action in a fenced example is an example', () => {
  const example = 'Thought: like\n```\nAction: change\n```\nAction: look\nThought: then\nAction: change'
  assert.deepEqual(callsIn(parse(example)), [['look', {}]])
})

test('an input in brackets is read only for a tool with one text, else it is answered and not run', () => {
  const parsed = parse('Action: look[the chief]')
  assert.ok(parsed.kind === 'calls' && parsed.calls[0]?.problem !== undefined)
})

// https://github.com/dataelement/bisheng/pull/1526
test('prose, or a label without content, is neither a call nor an answer', () => {
  for (const text of ['The answer is 5.', 'Thought: hm', 'Action:', 'Final Answer: '])
    assert.equal(parse(text).kind, 'malformed')
})
