import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolCall } from '../core/call.ts'
import { deepResearchIn } from './deep-research.ts'
import { EN } from './prompts/en.ts'
import { callsIn, parsedBy } from './protocol.contract.ts'

const protocol = deepResearchIn(EN)
const look = { name: 'look', description: 'Looks.', parameters: { type: 'object' } }
const call: ToolCall = { id: 'a', name: 'look', arguments: '{}' }

test('tools stand in <tools>, one signature a line, as the original lists them', () => {
  const line = '{"type":"function","function":{"name":"look","description":"Looks.","parameters":{"type":"object"}}}'
  assert.equal(protocol.listTools([look, look]), `<tools>\n${line}\n${line}\n</tools>`)
})

test('the system message has the tools before the form of a call, and ends with the date', () => {
  assert.match(
    protocol.layout?.system ?? '',
    /<answer><\/answer>[\s\S]*\{\{tools\}\}\n\n\{\{form\}\}\n\n.*\{\{date\}\}$/,
  )
  assert.match(protocol.form([look]), /<tool_call>\n\{"name": "…", "arguments": \{…\}\}\n<\/tool_call>[\s\S]*<code>/)
})

test('a result is a user message in <tool_response>, and the model is stopped before it, with the newline and without', () => {
  assert.deepEqual(protocol.render({ role: 'observation', text: 'seen', call }, []), {
    role: 'user',
    text: '<tool_response>\nseen\n</tool_response>',
  })
  assert.deepEqual(protocol.stop, ['\n<tool_response>', '<tool_response>'])
})

test('the defects of the original stay off: no lost answer, no call by a word, no silent turn', () => {
  const both = '<tool_call>\n{"name": "look", "arguments": {"q": "python"}}\n</tool_call>\n<answer>42</answer>'
  assert.deepEqual(callsIn(parsedBy(protocol, { text: both })), [['look', { q: 'python' }]])
  const neither = parsedBy(protocol, { text: '<think>Hm.</think>' })
  assert.match(neither.kind === 'malformed' ? neither.observation : '', /<tool_call>/)
})
