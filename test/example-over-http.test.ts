import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { reply } from '../examples/scripted/fix-failing-test.ts'
import { isJsonObject, type Json, type JsonObject } from '../src/core/json.ts'
import type { WireMessage } from '../src/core/request.ts'
import { type ChatRequest, startChatServer } from './support/chat-server.ts'
import { eventsIn, openTao } from './support/tao-command.ts'

const TASK = join(import.meta.dirname, '../examples/01-fix-failing-test/fix.task.yaml')
const KEY = 'sk-only-for-the-header'

const list = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((each) => isJsonObject(each)) : []
const at = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value)

/** What a service sees of a conversation, in the words the script knows: the observations and the calls they answer. */
function observationsIn({ body }: ChatRequest): WireMessage[] {
  const messages = list(body.messages)
  const calls = new Map(messages.flatMap((each) => list(each.tool_calls)).map((call) => [call.id, call]))
  return messages
    .filter(({ role }) => role === 'tool')
    .map(({ tool_call_id: id, content }) => {
      const call = calls.get(id ?? null)
      const [name, given] = [at(call, 'function', 'name'), at(call, 'function', 'arguments')]
      return { role: 'tool', text: `${content}`, call: { id: `${id}`, name: `${name}`, arguments: `${given}` } }
    })
}

for (const stream of [false, true])
  test(`example 01 works against a service, ${stream ? 'streamed' : 'in whole replies'}, and sends it what was agreed`, async () => {
    await using server = await startChatServer((request) => {
      const answer = reply({ messages: observationsIn(request) })
      if ('error' in answer) return answer
      const calls = answer.calls?.map((call, index) => ({ id: `call_${request.raw.length}_${index}`, ...call }))
      return { ...answer, ...(calls === undefined ? {} : { calls }) }
    })
    await using tao = await openTao()
    const model = ['--model', 'deepseek/deepseek-chat', '--base-url', server.url, ...(stream ? ['--stream'] : [])]
    const ended = await tao.run(['run', TASK, '--json', ...model], { DEEPSEEK_API_KEY: KEY })
    const last = eventsIn(ended).at(-1)
    assert.ok(last?.kind === 'run.ended', ended.stderr)
    const { status, changed, modelCalls, toolCalls } = last.outcome
    assert.deepEqual([status, changed, modelCalls, toolCalls], ['success', ['shop/delivery.py'], 5, 6])

    assert.equal(server.requests.length, 5)
    for (const request of server.requests) expectAgreed(request, stream)
    expectPrefixes(server.requests)
    assert.ok(!`${ended.stdout}${ended.stderr}`.includes(KEY))
  })

function expectAgreed({ path, headers, body, raw }: ChatRequest, stream: boolean): void {
  assert.equal(path, '/v1/chat/completions')
  assert.equal(headers.authorization, `Bearer ${KEY}`)
  assert.ok(!raw.includes(KEY))
  const { model, temperature, max_tokens: maxTokens, tool_choice: toolChoice, thinking } = body
  assert.deepEqual([model, temperature, maxTokens, toolChoice], ['deepseek-chat', 0, 800, 'auto'])
  assert.deepEqual(thinking, { type: 'disabled' })
  assert.equal(body.stream ?? false, stream)
  const [system, user] = list(body.messages)
  assert.deepEqual([system?.role, user?.role], ['system', 'user'])
  assert.match(`${user?.content}`, /^Find why the test fails/)
  const tools = list(body.tools).map((each) => at(each, 'function'))
  assert.deepEqual(tools.map((each) => at(each, 'name')).sort(), ['bash', 'edit', 'list_files', 'read_file'])
  for (const each of tools) assert.equal(at(each, 'parameters', 'additionalProperties'), false)
  const required = tools.map((each) => [at(each, 'name'), at(each, 'parameters', 'required')])
  assert.deepEqual(Object.fromEntries(required).edit, ['path', 'old_text', 'new_text'])
}

/** Each request's messages begin with all bytes of the messages before. */
function expectPrefixes(requests: readonly ChatRequest[]): void {
  const conversations = requests.map(({ raw }) => messagesOf(raw))
  for (const [index, bytes] of conversations.entries()) assert.ok(bytes.startsWith(conversations[index - 1] ?? ''))
}

/** The bytes of the messages in a request, without the bracket that closes them. */
function messagesOf(raw: string): string {
  const start = raw.indexOf('"messages":[')
  assert.notEqual(start, -1)
  for (let end = raw.indexOf(']', start); end !== -1; end = raw.indexOf(']', end + 1)) {
    try {
      JSON.parse(`{${raw.slice(start, end)}]}`)
      return raw.slice(start, end)
    } catch {
      // Not this bracket.
    }
  }
  return assert.fail('the messages have no end')
}
