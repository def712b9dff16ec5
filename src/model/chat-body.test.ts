import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { RequestHead, ToolChoice, WireMessage } from '../core/request.ts'
import { chatBody } from './chat-body.ts'
import { HEAD, HELLO } from './model.contract.ts'
import type { RequestBody } from './model.ts'
import type { Profile } from './profile.ts'
import { CHAT_PROFILES } from './profiles.ts'

const profile = (provider: string): Profile => {
  const found = CHAT_PROFILES.get(provider)
  assert.ok(found)
  return found
}

const open = (head: RequestHead = HEAD, provider = 'deepseek', model = 'deepseek-chat'): RequestBody =>
  chatBody(profile(provider), model, head)

function bodyOf(messages: readonly WireMessage[], head: RequestHead = HEAD, provider?: string, model?: string) {
  const body = open(head, provider, model)
  for (const message of messages) body.append(message)
  return JSON.parse(textOf(body.take('auto').bytes))
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

const CALL = { id: 'call_1', name: 'read_file', arguments: '{ "path":"a.txt" }' }
const TURN: readonly WireMessage[] = [
  { role: 'assistant', text: '', calls: [CALL] },
  { role: 'tool', text: '1 2 3', call: CALL },
]

for (const stream of [false, true])
  test(`a request holds exactly what was agreed with DeepSeek (stream: ${stream})`, () => {
    assert.deepEqual(bodyOf([...HELLO, ...TURN], { ...HEAD, stream }), {
      model: 'deepseek-chat',
      temperature: 0,
      max_tokens: 800,
      stream,
      ...(stream ? { stream_options: { include_usage: true } } : {}),
      thinking: { type: 'disabled' },
      tools: [
        {
          type: 'function',
          function: {
            name: 'read_file',
            description: 'Reads a file.',
            parameters: {
              type: 'object',
              properties: { path: { type: 'string' } },
              required: ['path'],
              additionalProperties: false,
            },
          },
        },
      ],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Read a.txt' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{ "path":"a.txt" }' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '1 2 3' },
      ],
      tool_choice: 'auto',
    })
  })

test('the choice of tools stands last, so that it never changes the beginning of a request', () => {
  const body = open()
  for (const message of HELLO) body.append(message)
  assert.ok(textOf(body.take('auto').bytes).endsWith('}],"tool_choice":"auto"}'))
  assert.ok(textOf(body.take('none').bytes).endsWith('}],"tool_choice":"none"}'))
})

test('without tools there is neither a list of them nor a choice', () => {
  const body = bodyOf(HELLO, { ...HEAD, tools: [] })
  assert.ok(!('tools' in body) && !('tool_choice' in body))
})

test('a stop is sent only when there is one', () => {
  assert.ok(!('stop' in bodyOf(HELLO)))
  assert.deepEqual(bodyOf(HELLO, { ...HEAD, stop: ['Observation:'] }).stop, ['Observation:'])
})

test('only DeepSeek is told about thinking', () => {
  assert.deepEqual(bodyOf(HELLO, { ...HEAD, thinking: true }).thinking, { type: 'enabled' })
  for (const provider of ['openai', 'openrouter', 'ollama', 'lmstudio', 'openai-compatible'])
    assert.ok(!('thinking' in bodyOf(HELLO, HEAD, provider)), provider)
})

test('OpenAI models that only reason get none of the fields they refuse', () => {
  const head = { ...HEAD, stop: ['Observation:'] }
  const body = bodyOf(HELLO, head, 'openai', 'gpt-5.6')
  assert.equal(body.max_completion_tokens, 800)
  for (const field of ['max_tokens', 'temperature', 'stop']) assert.ok(!(field in body), field)
  assert.equal(bodyOf(HELLO, head, 'openai', 'gpt-4.1').max_tokens, 800)
})

// https://github.com/earendil-works/pi/issues/3636, https://github.com/RooCodeInc/Roo-Code/issues/10171
test('with thinking on, every turn with calls brings its reasoning back, an empty one where there was none', () => {
  const thought: WireMessage = { role: 'assistant', text: 'a', reasoning: 'because', calls: [CALL] }
  const plain: WireMessage = { role: 'assistant', text: 'b', reasoning: 'not needed', calls: [] }
  const { messages } = bodyOf([thought, ...TURN, plain], { ...HEAD, thinking: true })
  assert.deepEqual(
    messages.map((message: { reasoning_content?: string }) => message.reasoning_content),
    ['because', '', undefined, undefined],
  )
  const off = bodyOf([thought, ...TURN]).messages
  assert.ok(off.every((message: object) => !('reasoning_content' in message)))
})

// https://github.com/hud-evals/hud-python/pull/480, https://github.com/vercel/ai/issues/14442
test('arguments that cannot be read go back as an empty object, all others byte for byte', () => {
  const broken = { ...CALL, arguments: '{"command": "echo he', problem: 'it is not valid JSON' }
  const cut = ['{"command": "echo he', '', '[1]'].map((text) => ({ ...CALL, arguments: text }))
  const [message] = bodyOf([{ role: 'assistant', text: 'so', calls: [broken, ...cut, CALL] }]).messages
  assert.deepEqual(
    message.tool_calls.map((call: { function: { arguments: string } }) => call.function.arguments),
    ['{}', '{}', '{}', '{}', '{ "path":"a.txt" }'],
  )
  assert.equal(message.content, 'so')
})

// https://github.com/gptscript-ai/gptscript/pull/656
test('names that no service accepts are made sendable', () => {
  const names = ['my tool:do/it', '', 'x'.repeat(100), 'fine_name-2', 'größe']
  const calls = names.map((name, at) => ({ id: `call_${at}`, name, arguments: '{}' }))
  const [message] = bodyOf([{ role: 'assistant', text: '', calls }]).messages
  assert.deepEqual(
    message.tool_calls.map((call: { function: { name: string } }) => call.function.name),
    ['my_tool_do_it', 'unnamed', 'x'.repeat(64), 'fine_name-2', 'gr__e'],
  )
})

// https://github.com/anthropics/claude-code/issues/7147
test('half a surrogate pair never goes out', () => {
  const half = '😀'.slice(0, 1)
  const call = { ...CALL, arguments: `{"t":"${half}"}` }
  const sent = JSON.stringify(
    bodyOf([
      { role: 'user', text: `a ${half}` },
      { role: 'assistant', text: half, calls: [call] },
      { role: 'tool', text: half, call },
    ]),
  )
  assert.ok(sent.isWellFormed())
  assert.doesNotMatch(sent, /\\ud83d/i)
})

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary', maxLength: 3000 }))
const anyMessage: fc.Arbitrary<WireMessage> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), text: anyText }),
  fc.record({ role: fc.constant('tool' as const), text: anyText, call: fc.constant(CALL) }),
  fc.record({ role: fc.constant('assistant' as const), text: anyText, calls: fc.constant([CALL]) }),
)
const anyChoice: fc.Arbitrary<ToolChoice> = fc.constantFrom('auto', 'none')

test('every request begins with the bytes of the one before, says how many, and has their true hash', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(anyMessage, { maxLength: 3 }), anyChoice), { maxLength: 6 }), (steps) => {
      const body = open()
      let before = Buffer.alloc(0)
      let sent = 0
      for (const [messages, choice] of steps) {
        for (const message of messages) body.append(message)
        sent += messages.length
        const { bytes, prefixBytes, sha256 } = body.take(choice)
        assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256)
        assert.equal(JSON.parse(textOf(bytes)).messages.length, sent)
        assert.equal(prefixBytes, alike(before, bytes))
        const tail = ']},"tool_choice":"auto"}'.length
        assert.ok(prefixBytes >= before.length - tail, 'only the tail of the request before may be missing')
        before = Buffer.from(bytes)
      }
    }),
    { numRuns: 60 },
  )
})

function alike(a: Uint8Array, b: Uint8Array): number {
  let count = 0
  while (count < a.length && count < b.length && a[count] === b[count]) count++
  return count
}

test('a step costs its new bytes only: what was there is neither encoded nor hashed again', () => {
  const body = open()
  const text = 'x'.repeat(2_000)
  const step = (): number => {
    const started = process.cpuUsage()
    for (let n = 0; n < 100; n++) {
      body.append({ role: 'user', text })
      body.take('auto')
    }
    const { user, system } = process.cpuUsage(started)
    return user + system
  }
  step() // warm
  const early = step()
  for (let n = 0; n < 8; n++) step()
  const late = Math.min(step(), step(), step())
  // Remaking 2 MB a hundred times takes half a second and more.
  assert.ok(late < early * 4 + 50_000, `100 steps took ${early} µs at the start and ${late} µs after 1,000`)
})
