import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { type Event, type RunTaskOptions, run, scripted, tool } from '../src/index.ts'

const search = tool({
  name: 'search',
  description: 'Searches.',
  input: z.object({ query: z.string() }),
  effects: 'read',
  run: ({ query }) => `About ${query}.`,
})
const CALL =
  '<think>\nI look.\n</think>\n<tool_call>\n{"name": "search", "arguments": {"query": "Oslo"}}\n</tool_call>\n<tool_response>\nmade up'
const ANSWER = '<think>\nI know.\n</think>\n<answer>In Norway.</answer>'

async function runCompat(replies: readonly string[], limits: NonNullable<RunTaskOptions['limits']> = {}) {
  const model = scripted(replies.map((text) => ({ text, usage: { inputFresh: 2_000 } })))
  const events: Event[] = []
  const onEvent = (event: Event) => void events.push(event)
  const outcome = await run('Where is Oslo?', { compat: 'deep-research', model, tools: [search], limits, onEvent })
  const messages = model.requests.at(-1)?.messages.map(({ role, text }) => [role, text] as const) ?? []
  return { outcome, messages, started: events[0] }
}

test('with compat deep-research a run has the messages of the original: roles, order and tags', async () => {
  const { outcome, messages, started } = await runCompat([CALL, ANSWER])
  assert.deepEqual([outcome.status, outcome.answer], ['answered', 'In Norway.'])
  assert.ok(started?.kind === 'run.started')
  assert.deepEqual([started.protocol, started.compat], ['tagged', 'deep-research'])
  assert.deepEqual(started.head.stop, ['\n<tool_response>', '<tool_response>'])
  const [[role, system] = [], ...rest] = messages
  assert.equal(role, 'system')
  assert.match(system ?? '', /\n<tools>\n\{"type":"function","function":\{"name":"search",.*\n<\/tools>\n/)
  assert.match(system ?? '', /\nCurrent date: \d{4}-\d\d-\d\d$/)
  assert.deepEqual(rest, [
    ['user', 'Where is Oslo?'],
    ['assistant', CALL.slice(0, CALL.indexOf('\n<tool_response>'))],
    ['user', '<tool_response>\nAbout Oslo.\n</tool_response>'],
  ])
})

test('when the context is full the model is told to answer, in the form of the original, and no result is lost', async () => {
  const { outcome, messages } = await runCompat([CALL, ANSWER], { contextTokens: 1_500 })
  assert.deepEqual([outcome.status, outcome.limit?.limit, outcome.answer], ['limit', 'contextTokens', 'In Norway.'])
  assert.deepEqual(
    messages.map(([role]) => role),
    ['system', 'user', 'assistant', 'user', 'user'],
  )
  assert.match(messages.at(-1)?.[1] ?? '', /^The context is full, .*\n<think>.*<\/think>\n<answer>.*<\/answer>$/)
})
