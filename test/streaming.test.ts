import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { ProtocolName } from '../src/app/protocols.ts'
import type { Event, FactOf } from '../src/core/event.ts'
import type { Delta } from '../src/core/request.ts'
import { memoryJournal, run, tool } from '../src/index.ts'
import { chatModel } from '../src/model/chat.ts'
import { PLAIN } from '../src/model/profile.ts'
import { retrying } from '../src/model/retry.ts'
import { type ChatReply, type ChatServer, type RawAnswer, startChatServer } from './support/chat-server.ts'

const look = tool({ name: 'look', description: 'Looks.', input: z.object({}), effects: 'read', run: () => 'seen: 12' })

const event = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`
const END = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

/** A stream of these characters in small pieces. */
const streamOf = (text: string, ends: RawAnswer['ends'] = 'normally'): RawAnswer => ({
  raw: [...(text.match(/[\s\S]{1,7}/gu) ?? []).map(event), ends === 'normally' ? END : ''],
  headers: { 'content-type': 'text/event-stream' },
  ends,
})

interface Told {
  readonly answer: string | undefined
  readonly output: number
  readonly events: readonly Event[]
  readonly deltas: readonly Delta[]
  readonly server: ChatServer
}

async function ask(protocol: ProtocolName, replies: readonly ChatReply[], stream = true): Promise<Told> {
  await using server = await startChatServer(replies)
  const profile = { ...PLAIN, provider: 'test', baseUrl: undefined, keyVariable: 'none' }
  const service = chatModel({ name: 'test/x', model: 'x', baseUrl: server.url, profile })
  const journal = memoryJournal()
  const deltas: Delta[] = []
  const outcome = await run('Is it there?', {
    model: retrying(service, { firstWaitMs: 1 }),
    protocol,
    tools: [look],
    journal,
    stream,
    onDelta: (delta) => deltas.push(delta),
  })
  while (stream && server.abandoned === 0 && replies.some((reply) => 'ends' in reply && reply.ends === 'hang'))
    await wait(5)
  const { answer, usage } = outcome
  return { answer, output: usage.output, events: await journal.read(outcome.run), deltas, server }
}

const repliesIn = ({ events }: Told): readonly FactOf<'model.replied'>[] =>
  events.filter((event) => event.kind === 'model.replied')
const shown = ({ deltas }: Told, kind: Delta['kind']): string =>
  deltas.map((delta) => (delta.kind === kind ? delta.text : '')).join('')

const INVENTED = 'forty-six was found'
const SPOKEN: readonly { protocol: ProtocolName; call: string; goesOn: string; answer: string }[] = [
  {
    protocol: 'tagged',
    call: '<think>Hm.</think>\n<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>',
    goesOn: `\n<tool_response>\n${INVENTED}\n</tool_response>\n<answer>${INVENTED}</answer>`,
    answer: '<think>So.</think><answer>It is 12.</answer>',
  },
  {
    protocol: 'thought-action',
    call: 'Thought: Hm.\nAction: {"name": "look", "arguments": {}}',
    goesOn: `\nObservation: ${INVENTED}\nThought: So.\nFinal Answer: ${INVENTED}`,
    answer: 'Thought: So.\nFinal Answer: It is 12.',
  },
]

for (const { protocol, call, goesOn, answer } of SPOKEN) {
  test(`${protocol}: a stream that goes on past the stop is closed by us, and nothing of it is told or kept`, async () => {
    const told = await ask(protocol, [streamOf(call + goesOn, 'hang'), streamOf(answer)])
    assert.equal(told.answer, 'It is 12.')
    assert.equal(told.server.abandoned, 1)
    assert.ok(!JSON.stringify([told.events, told.deltas]).includes('forty-six'))
    assert.ok(!told.server.requests.some(({ raw }) => raw.includes('forty-six')))
    const [first] = repliesIn(told)
    assert.deepEqual([first?.text, first?.finish, first?.usage, first?.calls.length], [call, 'stop', undefined, 1])
    assert.ok(told.output > 0, 'what the service could not count is estimated')
  })

  test(`${protocol}: a whole reply that goes on past the stop is kept and read as the stream is`, async () => {
    const streamed = await ask(protocol, [streamOf(call + goesOn, 'hang'), streamOf(answer)])
    for (const finish of ['stop', 'length'] as const) {
      const whole = await ask(protocol, [{ text: call + goesOn, finish }, { text: answer }], false)
      const bare = (told: Told) =>
        repliesIn(told).map(({ text, calls, finish: end }) => ({ text, end, calls: calls.map(({ name }) => name) }))
      assert.deepEqual(bare(whole), bare(streamed))
      assert.ok(!JSON.stringify(whole.events).includes('forty-six'))
    }
  })

  test(`${protocol}: thoughts, calls and the answer are shown apart while they come`, async () => {
    const told = await ask(protocol, [streamOf(call), streamOf(answer)])
    assert.equal(shown(told, 'reasoning'), 'Hm.So.')
    assert.equal(shown(told, 'call'), '{"name": "look", "arguments": {}}')
    assert.equal(shown(told, 'answer'), 'It is 12.')
    assert.equal(shown(told, 'text'), '')
  })
}

test('after a stream that broke, the reply is read from its beginning', async () => {
  const [tagged] = SPOKEN
  assert.ok(tagged !== undefined)
  const broken = streamOf('<answer>No</answer><tool_resp', 'reset')
  const told = await ask('tagged', [broken, streamOf(`onse>${tagged.call}`), streamOf(tagged.answer)])
  assert.equal(told.answer, 'It is 12.')
  assert.deepEqual(
    repliesIn(told).map(({ text }) => text),
    [`onse>${tagged.call}`, tagged.answer],
  )
})

test('a native call is shown while it comes, with its name', async () => {
  const told = await ask('native', [{ text: 'Hm.', calls: [{ name: 'look', arguments: {} }] }, { text: 'It is 12.' }])
  assert.deepEqual([shown(told, 'text'), shown(told, 'call')], ['Hm.It is 12.', 'look {}'])
})

test('agent-calls: a response beside calls is not shown, the final one is', async () => {
  const told = await ask('agent-calls', [
    streamOf('{"response": "It is forty-six.", "agent_calls": [{"agent": "look", "args": {}}]}'),
    streamOf('{"response": "It is 12.", "agent_calls": []}'),
  ])
  assert.equal(told.answer, 'It is 12.')
  assert.equal(shown(told, 'answer'), 'It is 12.')
  assert.ok(!JSON.stringify(told.deltas).includes('forty-six'))
})
