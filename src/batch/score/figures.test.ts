import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordOf } from '../../../test/support/results.ts'
import { callKinds, figuresOf } from './figures.ts'

const said = (...contents: readonly string[]) => contents.map((content) => ({ role: 'assistant' as const, content }))
const call = (body: string): string => `<tool_call>\n${body}\n</tool_call>`

test('calls are counted by name: in JSON, before code, in broken JSON, and by a word where there is no name', () => {
  const { tools } = figuresOf(
    said(
      call('{"name": "search", "arguments": {"query": ["visit python"]}}') + call('{"name":"visit","arguments":{}}'),
      call('{"name": "PythonInterpreter", "arguments": {}}\n<code>\nprint("search")\n</code>'),
      call('{"name": "google_scholar", "arguments": {'),
      `${call('please visit it')}${call('what')}<tool_call>{"name": "search"`,
    ),
    undefined,
  )
  assert.deepEqual(tools, { search: 1, visit: 2, PythonInterpreter: 1, google_scholar: 1, unknown: 1 })
  assert.deepEqual(callKinds({ tools }), { all: 6, search: 1, visit: 2, other: 3 })
})

test('an answer counts when it stands whole in the last message', () => {
  const invalid = (...contents: readonly string[]): boolean => figuresOf(said(...contents), undefined).isInvalid
  assert.deepEqual(
    [
      invalid('<answer>a</answer>'),
      invalid('<answer>a</answer>', 'b'),
      invalid('<answer>a'),
      invalid('a</answer>'),
      invalid(),
    ],
    [false, true, true, true, true],
  )
})

test('lengths are characters, and tokens a third of the bytes', () => {
  const messages = [{ role: 'user' as const, content: 'äb' }, ...said('12345', '<answer> 42 </answer>')]
  const { answerCharacters, messageCharacters, transcriptTokens, assistantTokens, turns } = figuresOf(
    messages,
    undefined,
  )
  assert.deepEqual([answerCharacters, messageCharacters, turns], [2, 13, 2]) // (5 + 21) / 2
  assert.deepEqual([transcriptTokens, assistantTokens], [1 + 2 + 7, 2 + 7])
  assert.equal(figuresOf([], undefined).messageCharacters, undefined)
})

test('what Tao counted itself is taken, and what nobody counted is not known', () => {
  const { messages, outcome } = recordOf({ calls: ['search'], tokens: [70, 5], cost: 0.5 }, 1)
  const known = figuresOf(messages, outcome)
  assert.deepEqual(
    [known.turns, known.inputTokens, known.outputTokens, known.cost, known.durationMs],
    [2, 70, 5, 0.5, 1500],
  )
  const unknown = figuresOf(messages, undefined)
  assert.deepEqual([unknown.inputTokens, unknown.cost, unknown.durationMs], [undefined, undefined, undefined])
})
