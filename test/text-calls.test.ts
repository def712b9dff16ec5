import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { openTimeline } from '../src/cli/timeline.ts'
import { agentCalls } from '../src/protocol/agent-calls.ts'
import { native } from '../src/protocol/native.ts'
import { tagged } from '../src/protocol/tagged.ts'
import { thoughtAction } from '../src/protocol/thought-action.ts'
import { tool } from '../src/tools/define.ts'
import { callOf, plainTool, runScript, saying } from './support/bench.ts'

const CODER = [
  'I count.',
  '<tool_call>\n<function=count>\n<parameter=n>\n5\n</parameter>\n<parameter=word>\n42\n</parameter>\n</function>\n</tool_call>',
].join('\n')

const count = (seen: unknown[]) =>
  tool({
    name: 'count',
    description: 'Counts.',
    input: z.object({ n: z.int(), word: z.string() }),
    effects: 'read',
    run: (input) => {
      seen.push(input)
      return 'counted'
    },
  })

// https://github.com/NousResearch/hermes-agent/pull/15473
test('calls that a service leaves in the text are run, and the journal says how they were read and what was written', async () => {
  const seen: unknown[] = []
  const trace = await runScript({ script: [{ text: CODER }, saying('done')], tools: [count(seen)] })
  assert.equal(trace.outcome.status, 'answered')
  assert.deepEqual(seen, [{ n: 5, word: '42' }])
  const [replied] = trace.all('model.replied')
  assert.equal(replied?.dialect, 'qwen3-coder')
  assert.equal(replied?.raw, CODER)
  assert.deepEqual(trace.all('call.cleared')[0]?.coerced, ['"n" came as a text and was read as a number'])
  const sent = trace.model.requests[1]?.messages.find((message) => message.role === 'assistant')
  assert.deepEqual(sent?.role === 'assistant' && [sent.text, sent.calls.length], ['I count.', 1])
})

test('a person sees that calls were read out of the text', async () => {
  const trace = await runScript({ script: [{ text: CODER }, saying('done')], tools: [count([])] })
  const plain = (text: string) => text
  const timeline = openTimeline({ strong: plain, faint: plain, good: plain, bad: plain })
  assert.match(
    trace.events.flatMap(timeline).join('\n'),
    /I count\.\n {2}\(the calls came as text; read as qwen3-coder\)\n/,
  )
})

const UNREADABLE: readonly [string, string][] = [
  // https://github.com/RooCodeInc/Roo-Code/issues/11187
  ['a form that nobody knows', '[TOOL_CALL]\n{tool => "count", args => {n => 5}}'],
  // https://github.com/RooCodeInc/Roo-Code/issues/7156
  ['tags that lost their first character', 'count>\nargs>\n<n>5n>'],
  // https://github.com/tinyhumansai/openhuman/issues/4937
  ['garbled marks', '<|tool_call>call:{"name":"count",…}<tool_call|>'],
  // https://github.com/vllm-project/vllm/issues/47761
  ['a call that was cut', '<tool_call>{"name": "count", "arguments": {"word": "timeout 7'],
]
for (const [what, text] of UNREADABLE)
  test(`what was meant as a call and cannot be read is neither run nor an answer: ${what}`, async () => {
    const trace = await runScript({ script: [{ text }, saying('done')], tools: [count([])] })
    assert.equal(trace.all('call.cleared').length, 0)
    assert.equal(trace.outcome.answer, 'done')
    assert.match(trace.all('reply.malformed')[0]?.observation ?? '', /^Nothing was executed\./)
  })

// https://github.com/AAswordman/Operit/issues/727
test('an answer that speaks of tags is an answer', async () => {
  const answer = 'hello </think> world, and <tool_call> begins a call'
  const trace = await runScript({ script: [saying(answer)], tools: [count([])] })
  assert.equal(trace.outcome.answer, answer)
})

const NAMES = ['files.read', 'web/search', 'web.search', `${'x'.repeat(80)}.end`]

for (const protocol of [native, tagged, thoughtAction, agentCalls])
  test(`${protocol.name}: tools with dots, slashes and long names are called, and the journal has their names`, async () => {
    const called: string[] = []
    const tools = NAMES.map((name) => plainTool(name, 'read', () => `${called.push(name)}`))
    const sent = protocol.nativeTools(tools.map(({ definition }) => definition)).map(({ name }) => name)
    const script = NAMES.map((name, n) => ({
      native: { text: '', calls: [callOf(sent[n] ?? '')] },
      tagged: { text: `<tool_call>{"name": "${name}"}</tool_call>` },
      'thought-action': { text: `Action: ${name}\nAction Input: {}` },
      'agent-calls': { text: `{"agent_calls": [{"agent": "${name}"}]}` },
    }))
    const answers = {
      native: saying('done'),
      tagged: saying('<answer>done</answer>'),
      'thought-action': saying('Final Answer: done'),
      'agent-calls': saying('{"response": "done"}'),
    }
    const key = protocol.name as keyof typeof answers
    const trace = await runScript({ protocol, tools, script: [...script.map((each) => each[key]), answers[key]] })
    assert.equal(trace.outcome.answer, 'done')
    assert.deepEqual(called, NAMES)
    assert.deepEqual(
      trace.all('call.finished').map(({ name }) => name),
      NAMES,
    )
  })

test('the service sees each tool under one name, in its list and in the history', async () => {
  const tools = NAMES.map((name) => plainTool(name, 'read', () => 'ok'))
  const wire = native.nativeTools(tools.map(({ definition }) => definition)).map(({ name }) => name)
  assert.ok(wire.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name)))
  const trace = await runScript({ tools, script: [{ calls: wire.map((name) => callOf(name)) }, saying('done')] })
  const body = JSON.parse(Buffer.from(trace.model.requests[1]?.bytes ?? '').toString()) as {
    readonly tools: readonly { readonly function: { readonly name: string } }[]
    readonly messages: readonly { readonly tool_calls?: readonly { readonly function: { readonly name: string } }[] }[]
  }
  const history = body.messages.flatMap(({ tool_calls = [] }) => tool_calls)
  assert.deepEqual(
    body.tools.map((each) => each.function.name),
    wire,
  )
  assert.deepEqual(
    history.map((each) => each.function.name),
    wire,
  )
})

// https://github.com/n24q02m/better-godot-mcp/pull/966
test('a property of every object is no tool, in whatever form it is called', async () => {
  const call = '<tool_call>{"name": "constructor", "arguments": {}}</tool_call>'
  const trace = await runScript({
    script: [{ text: call }, { calls: [callOf('toString')] }, saying('done')],
    tools: [plainTool('look', 'read', () => 'seen')],
  })
  assert.deepEqual(
    trace.all('call.refused').map(({ cause }) => cause),
    ['unknown-tool', 'unknown-tool'],
  )
})
