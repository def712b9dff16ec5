import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireMessage } from '../src/core/request.ts'
import type { ScriptReply } from '../src/model/script.ts'
import { agentCalls } from '../src/protocol/agent-calls.ts'
import { native } from '../src/protocol/native.ts'
import type { Protocol } from '../src/protocol/protocol.ts'
import { tagged } from '../src/protocol/tagged.ts'
import { thoughtAction } from '../src/protocol/thought-action.ts'
import { advance } from '../src/run/advance.ts'
import { resume } from '../src/run/resume.ts'
import { type AskingOptions, openAsking, takeUpAsking } from './support/asking.ts'
import { pairingFault, plainTool } from './support/bench.ts'

const PROTOCOLS: readonly Protocol[] = [native, tagged, thoughtAction, agentCalls]

interface Wish {
  readonly name: string
  readonly input: object
}

/** How a model writes calls, something that is none, and an answer. */
const SPEECH: Readonly<
  Record<string, { calls(wishes: readonly Wish[]): ScriptReply; answer(text: string): ScriptReply }>
> = {
  native: {
    calls: (wishes) => ({
      text: 'I go on.',
      calls: wishes.map(({ name, input }) => ({ name, arguments: { ...input } })),
    }),
    answer: (text) => ({ text }),
  },
  tagged: {
    calls: (wishes) => {
      const calls = wishes.map(({ name, input }) => JSON.stringify({ name, arguments: input }))
      return { text: `<think>I go on.</think>\n${calls.map((call) => `<tool_call>${call}</tool_call>`).join('\n')}` }
    },
    answer: (text) => ({ text: `<answer>${text}</answer>` }),
  },
  'thought-action': {
    calls: ([wish]) => ({
      text: `Thought: I go on.\nAction: ${wish?.name}\nAction Input: ${JSON.stringify(wish?.input)}`,
    }),
    answer: (text) => ({ text: `Final Answer: ${text}` }),
  },
  'agent-calls': {
    calls: (wishes) => ({
      text: JSON.stringify({
        response: '',
        agent_calls: wishes.map(({ name, input }) => ({ agent: name, args: input })),
      }),
    }),
    answer: (text) => ({ text: JSON.stringify({ response: text }) }),
  },
}

const WISHES: readonly Wish[][] = [
  [{ name: 'look', input: { at: 'a "quoted" {thing}' } }],
  [
    { name: 'look', input: { at: 'two' } },
    { name: 'look', input: { at: 'three' } },
  ],
  [{ name: 'nothing', input: { at: 'x' } }],
  [{ name: 'pay', input: { at: 'all' } }],
]

const args = { at: { role: 'payload', type: { text: 40 } } }
const policy = {
  tools: {
    look: { effects: ['read'], args, runs: [{ args: { at: 'a' } }], denies: [{ args: { nobody: 1 } }] },
    pay: { effects: ['write'], floor: 'deny', args, denies: [{ args: { at: 'a' } }] },
  },
}

function speechOf({ name }: Protocol) {
  const speech = SPEECH[name]
  assert.ok(speech !== undefined)
  return speech
}

/** A run in one protocol, with calls at once, an empty reply, a tool that is not there and one that is denied. */
async function firstPart(protocol: Protocol) {
  const { calls, answer } = speechOf(protocol)
  const script = [...WISHES.map(calls), { text: '' }, answer('So far.')]
  const asking = await openAsking(optionsFor(protocol, script))
  assert.equal((await asking.go())?.status, 'answered')
  return asking.events()
}

const optionsFor = (protocol: Protocol, script: readonly ScriptReply[]): AskingOptions => ({
  ...{ protocol, script, policy },
  tools: ['look', 'pay'].map((name) => {
    const tool = plainTool(name, name === 'pay' ? 'write' : 'read', (input) => `seen ${JSON.stringify(input)}`)
    const parameters = { type: 'object', properties: { at: { type: 'string' } } }
    return { ...tool, definition: { ...tool.definition, parameters } }
  }),
})

/** The calls that a turn of the history makes to whoever reads it in this protocol. */
function callsIn(message: WireMessage, protocol: Protocol): unknown[] {
  if (message.role !== 'assistant') return []
  if (protocol.name === 'native') return message.calls.map(({ name, arguments: text }) => [name, JSON.parse(text)])
  const reply = { text: message.text, calls: [], finish: 'stop', firstByteMs: 0, totalMs: 0 } as const
  const parsed = protocol.parse(reply, { tools: [], freshId: (_, index) => `${index}` })
  return parsed.kind === 'calls' ? parsed.calls.map(({ name, arguments: text }) => [name, JSON.parse(text)]) : []
}

/** What was observed, out of the writing of a protocol. */
const heard = ({ text }: WireMessage, protocol: Protocol): string =>
  protocol === agentCalls && text.startsWith('{') ? ((JSON.parse(text) as { result?: string }).result ?? '') : text

/** In thought-action only the first of several actions is read. */
const expectedCalls = (from: Protocol, to: Protocol) =>
  WISHES.map((wishes) => wishes.map(({ name, input }) => [name, input])).map((calls) =>
    [from, to].includes(thoughtAction) ? calls.slice(0, 1) : calls,
  )

for (const from of PROTOCOLS)
  for (const to of PROTOCOLS.filter((each) => each !== from))
    test(`a run in ${from.name} goes on in ${to.name}: its calls and their results are there as that protocol writes them`, async () => {
      const events = await firstPart(from)
      const { calls, answer } = speechOf(to)
      const script = [calls([{ name: 'look', input: { at: 'four' } }]), answer('All of it.')]
      const taken = await takeUpAsking(events, optionsFor(to, script))
      const words = [{ kind: 'typed' as const, text: 'And the rest.' }]
      const run = await resume(taken.run, { reason: 'test', spec: {}, words })
      const outcome = await advance(run, new AbortController().signal)
      assert.deepEqual([outcome?.status, outcome?.answer], ['answered', 'All of it.'])

      const [request] = taken.model.requests
      const messages = request?.messages ?? []
      const turns = messages.map((message) => callsIn(message, to)).filter((turn) => turn.length > 0)
      assert.deepEqual(turns, expectedCalls(from, to))
      assert.equal(pairingFault(messages), undefined)
      for (const text of ['seen {"at":"two"}', 'no tool "nothing"', 'denies'])
        assert.ok(
          messages.some((each) => each.role !== 'assistant' && heard(each, to).includes(text)),
          text,
        )
      const sent = JSON.stringify(messages.filter(({ role }) => role === 'assistant'))
      for (const foreign of [tagged, thoughtAction, agentCalls].filter((each) => each !== to && each === from))
        assert.ok(!sent.includes(MARKS[foreign.name] ?? ''), `${foreign.name} is still there`)
    })

const MARKS: Readonly<Record<string, string>> = {
  tagged: '<tool_call>',
  'thought-action': 'Action Input:',
  'agent-calls': 'agent_calls',
}

test('a run that switches back has its own turns as the model wrote them', async () => {
  const events = await firstPart(tagged)
  const before = await takeUpAsking(events, optionsFor(tagged, []))
  const inNative = await takeUpAsking(events, optionsFor(native, [{ text: 'Over.' }]))
  const words = [{ kind: 'typed' as const, text: 'Go on.' }]
  await advance(await resume(inNative.run, { reason: 'test', spec: {}, words }), new AbortController().signal)
  const back = await takeUpAsking(await inNative.events(), optionsFor(tagged, [{ text: '<answer>Done.</answer>' }]))
  await advance(await resume(back.run, { reason: 'test', spec: {}, words }), new AbortController().signal)
  const texts = before.run.state.messages.slice(1).map(({ text }) => text)
  const sent = back.model.requests[0]?.messages.slice(1) ?? []
  for (const [at, message] of sent.slice(0, texts.length).entries())
    if (message.role === 'assistant') assert.equal(message.text, texts[at])
})
