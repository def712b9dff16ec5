import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../../src/core/outcome.ts'
import type { ScriptReply } from '../../src/model/script.ts'
import { agentCalls } from '../../src/protocol/agent-calls.ts'
import { native } from '../../src/protocol/native.ts'
import type { Protocol } from '../../src/protocol/protocol.ts'
import { tagged } from '../../src/protocol/tagged.ts'
import { thoughtAction } from '../../src/protocol/thought-action.ts'
import { advance } from '../../src/run/advance.ts'
import { resume } from '../../src/run/resume.ts'
import { calling, callOf, pairingFault, plainTool, runScript, saying, type Trace } from '../support/bench.ts'

/** The same run goes on after a new word of the user. */
async function goOnAfter(text: string, { run }: Trace): Promise<Outcome | undefined> {
  const resumed = await resume(run, { reason: 'test', words: [{ kind: 'typed', text }], spec: {} })
  return advance(resumed, new AbortController().signal)
}

/** How a call of the tool `hang`, without arguments, and the answer "Over." are written. */
const WRITTEN: Readonly<Record<string, readonly [Protocol, call: ScriptReply, answer: string]>> = {
  native: [native, calling('hang'), 'Over.'],
  'native, in the text': [native, saying('<tool_call>{"name": "hang", "arguments": {}}</tool_call>'), 'Over.'],
  tagged: [tagged, saying('<tool_call>{"name": "hang", "arguments": {}}</tool_call>'), '<answer>Over.</answer>'],
  'thought-action': [
    thoughtAction,
    saying('Thought: Go.\nAction: hang\nAction Input: {}'),
    'Thought: So.\nFinal Answer: Over.',
  ],
  'agent-calls': [
    agentCalls,
    saying('{"response": "", "agent_calls": [{"agent": "hang", "args": {}}]}'),
    '{"response": "Over.", "agent_calls": []}',
  ],
}

// https://github.com/anthropics/claude-code/issues/2959
// https://github.com/openai/codex/issues/394
// https://github.com/Soju06/codex-lb/issues/1168
for (const [name, [protocol, call, answer]] of Object.entries(WRITTEN))
  test(`interrupted while a tool runs, a run takes a new word: the call has its answer first (${name})`, async () => {
    const controller = new AbortController()
    const hang = plainTool('hang', 'write', () => {
      controller.abort(new Error('the user'))
      return new Promise<string>(() => undefined)
    })
    const script = [call, saying(answer), saying(answer)]
    const trace = await runScript({ script, protocol, tools: [hang], signal: controller.signal })
    assert.equal(trace.outcome.status, 'cancelled')
    for (const word of ['A new branch.', 'And another.']) {
      assert.equal((await goOnAfter(word, trace))?.answer, 'Over.')
      const { messages } = trace.model.requests.at(-1) ?? { messages: [] }
      assert.equal(messages.at(-1)?.text, word)
      assert.equal(pairingFault(messages), undefined)
    }
    const told = trace.model.requests[1]?.messages.slice(-2).map(({ text }) => text)
    assert.match(told?.[0] ?? '', /Whether it took effect is not known/)
  })

// https://github.com/generative-computing/mellea/issues/1431
test('two calls of one tool in one reply both run, and each has its own result', async () => {
  const search = plainTool('search', 'read', ({ q }) => `found ${q}`)
  const script = [{ calls: [callOf('search', { q: 'X' }), callOf('search', { q: 'Y' })] }, saying('done')]
  const trace = await runScript({ script, tools: [search] })
  assert.deepEqual(trace.observations(), ['found X', 'found Y'])
})

// https://github.com/stanfordnlp/dspy/pull/9825
test('ids that we make are new over the whole history, also when the run goes on and a service uses ours', async () => {
  const look = plainTool('look', 'read', ({ n }) => `seen ${n}`)
  const two = (n: number, id?: string) => ({ calls: [callOf('look', { n }, id), callOf('look', { n: n + 1 })] })
  const trace = await runScript({
    script: [two(1, 'call_2_1'), two(3), saying('done'), two(5), two(7, 'call_1_1'), saying('done')],
    tools: [look],
  })
  assert.equal((await goOnAfter('Go on.', trace))?.status, 'answered')
  const messages = trace.model.requests.at(-1)?.messages ?? []
  const ids = messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : []))
  assert.equal(new Set(ids).size, 8)
  assert.equal(pairingFault(messages), undefined)
  const seen = messages.flatMap(({ role, text }) => (role === 'tool' ? [text] : []))
  assert.deepEqual(seen, ['seen 1', 'seen 2', 'seen 3', 'seen 4', 'seen 5', 'seen 6', 'seen 7', 'seen 8'])
})

// https://github.com/earendil-works/pi/issues/812
test('a call in a reply that broke leaves neither itself nor an answer to it in the next request', async () => {
  const look = plainTool('look', 'read', () => 'seen')
  const script: ScriptReply[] = [
    { text: 'I look.', calls: [callOf('look', {}, 'c1')], finish: 'broken' },
    { calls: [callOf('look', {}, 'c2')], finish: 'broken' },
    calling('look', {}, 'c3'),
    saying('done'),
  ]
  const trace = await runScript({ script, tools: [look] })
  for (const { messages } of trace.model.requests) {
    assert.equal(pairingFault(messages), undefined)
    assert.doesNotMatch(JSON.stringify(messages), /"c1"|"c2"/)
  }
  assert.deepEqual(trace.observations(), ['seen'])
})

// https://github.com/agentarea/agentarea/pull/320
test('a request that the service refuses is made again when the run goes on; what was done before it is not', async () => {
  let times = 0
  const shell = plainTool('shell', 'write', () => `done ${++times}`)
  const refused = { error: { status: 400, body: 'bad request' } }
  const trace = await runScript({ script: [calling('shell'), refused, saying('done')], tools: [shell] })
  assert.equal(trace.outcome.status, 'failed')
  const resumed = await resume(trace.run, { reason: 'test', spec: {} })
  assert.equal((await advance(resumed, new AbortController().signal))?.status, 'answered')
  assert.equal(times, 1)
  assert.equal(trace.model.requests.at(-1)?.messages.at(-1)?.text, 'done 1')
})
