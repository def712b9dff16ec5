import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunStarted } from '../core/event.ts'
import type { Message } from '../core/message.ts'
import { emptyState, type State } from '../run/state.ts'
import { recordedMessages } from './messages.ts'

const CALL = { id: 'c', name: 'search', arguments: '{"query":"a"}' }

function stateWith(protocol: string, messages: readonly Message[], answer?: string): State {
  const start: Message[] = [
    { role: 'system', text: 'S' },
    { role: 'user', text: 'Q?\n\nCurrent date: 2026-11-30' },
  ]
  return {
    ...emptyState(),
    started: { protocol } as RunStarted,
    messages: [...start, ...messages],
    answer,
  }
}

const contents = (state: State): string[] =>
  recordedMessages(state, 'Q?').map(({ role, content }) => `${role}: ${content}`)

const assistant = (text: string, reasoning?: string): Message => ({
  ...{ role: 'assistant', text, calls: [] },
  ...(reasoning === undefined ? {} : { reasoning }),
})

test('the second message is the question alone, whatever the task says around it', () => {
  assert.deepEqual(contents(stateWith('tagged', [])), ['system: S', 'user: Q?'])
})

test('a tagged history stays as it was written; thoughts that came on their own are put back', () => {
  const said = '<think>\nI know.\n</think>\n<answer>A</answer>'
  assert.deepEqual(contents(stateWith('tagged', [assistant(said, 'elsewhere')], 'A')).slice(2), [`assistant: ${said}`])
  assert.deepEqual(contents(stateWith('tagged', [assistant('<answer>A</answer>', 'I know.')], 'A')).slice(2), [
    `assistant: ${said}`,
  ])
})

test('the answer is in tags in the last message, in whatever form it was given', () => {
  const last = (state: State): string | undefined => contents(state).at(-1)
  assert.equal(last(stateWith('native', [assistant('A')], 'A')), 'assistant: <answer>\nA\n</answer>')
  assert.equal(last(stateWith('tagged', [assistant('<answer>\nA')], 'A')), 'assistant: <answer>\nA\n</answer>')
  assert.equal(last(stateWith('native', [assistant('Said.')], 'Made.')), 'assistant: <answer>\nMade.\n</answer>')
  assert.equal(last(stateWith('native', [assistant('Said.')])), 'assistant: Said.')
})

test('each result has a message of its own, and what nobody was asked with is left out', () => {
  const messages: Message[] = [
    { role: 'assistant', text: 'I look.', calls: [CALL, CALL] },
    { role: 'observation', text: 'one </tool_response>', call: CALL },
    { role: 'observation', text: 'two', call: CALL },
  ]
  const call = '<tool_call>\n{"name": "search", "arguments": {"query":"a"}}\n</tool_call>'
  const expected = [
    `assistant: <think>\nI look.\n</think>\n${call}\n${call}`,
    'user: <tool_response>\none </\u200btool_response>\n</tool_response>',
    'user: <tool_response>\ntwo\n</tool_response>',
  ]
  const told: Message = { role: 'observation', text: 'Write <answer>…</answer>.' }
  for (const tail of [[], [told]])
    assert.deepEqual(
      contents(stateWith('native', [...messages, ...tail]))
        .slice(2)
        .map(String),
      expected,
    )
})
