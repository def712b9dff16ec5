import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChatServer } from '../../test/support/chat-server.ts'
import { TaoError } from '../core/error.ts'
import { ask, askFailing, KEY, open, startSocketServer } from './chat.contract.ts'
import { chatModel } from './chat.ts'
import { HEAD, HELLO, modelContract, NEVER, requestOf } from './model.contract.ts'
import { CHAT_PROFILES } from './profiles.ts'

modelContract('chat', async (replies) => {
  const server = await startChatServer(replies)
  return { model: open(server.url), [Symbol.asyncDispose]: server.close }
})

test('the bytes of the request arrive as they are, and the key only in its header', async () => {
  await using server = await startChatServer([{ text: 'hi' }])
  const model = open(server.url)
  const request = requestOf(model)
  await model.ask(request, { signal: NEVER })
  const [received] = server.requests
  assert.equal(received?.raw, Buffer.from(request.bytes).toString('utf8'))
  assert.equal(received?.path, '/v1/chat/completions')
  const { authorization, ...others } = received?.headers ?? {}
  assert.equal(authorization, `Bearer ${KEY}`)
  assert.ok(!JSON.stringify([others, received?.raw]).includes(KEY))
})

test('the second request begins with the bytes of the first without its tail', async () => {
  const call = { id: 'c1', name: 'read_file', arguments: '{"path":"a"}' }
  await using server = await startChatServer([{ calls: [call] }, { text: 'hi' }])
  const model = open(server.url)
  const body = model.openBody(HEAD)
  const messages = [...HELLO]
  for (const message of HELLO) body.append(message)
  const send = () =>
    model.ask({ step: 0, head: HEAD, messages, toolChoice: 'auto', ...body.take('auto') }, { signal: NEVER })
  await send()
  body.append({ role: 'assistant', text: '', calls: [call] })
  body.append({ role: 'tool', text: '1', call })
  await send()
  const [first = '', second = ''] = server.requests.map((request) => request.raw)
  const tail = '],"tool_choice":"auto"}'
  assert.ok(first.endsWith(tail))
  assert.ok(second.startsWith(first.slice(0, -tail.length)))
})

test('without a key there is no header for one', async () => {
  await using server = await startChatServer([{ text: 'hi' }])
  const profile = CHAT_PROFILES.get('ollama')
  assert.ok(profile)
  await ask(chatModel({ name: 'ollama/x', model: 'x', baseUrl: server.url, profile }))
  assert.equal(server.requests[0]?.headers.authorization, undefined)
})

test('a key that the service repeats stands in no error', async () => {
  const padding = 'x'.repeat(385) // so that the key lies across the place where a message is cut
  for (const body of [
    `{"error":{"message":"Bad key ${KEY}"}}`,
    `{"error":"${padding} ${KEY} and more"}`,
    `no JSON ${KEY}`,
  ])
    for (const [status, stream] of [
      [401, false],
      [200, false],
      [200, true],
    ] as const) {
      await using server = await startChatServer([{ status, raw: [body] }])
      const error = await askFailing(open(server.url), stream)
      const shown = [error.message, error.body, error.fix, error.stack, String(error.cause)].join()
      assert.ok(!shown.includes(KEY.slice(0, 6)), shown)
    }
})

test('a key that no header can hold is refused with the name of its variable', () => {
  for (const apiKey of ['', 'sk-1\n', 'sk 1', 'sk-ключ'])
    assert.throws(
      () => open('http://127.0.0.1:1', { apiKey }),
      (error) => error instanceof TaoError && /DEEPSEEK_API_KEY/.test(error.fix ?? '') && !error.message.includes('sk'),
    )
})

test('an address that cannot be one is refused', () => {
  for (const baseUrl of ['', 'localhost:1234', 'ftp://127.0.0.1', 'http://user:secret@127.0.0.1/v1'])
    assert.throws(
      () => open(baseUrl),
      (error) => error instanceof TaoError && !error.message.includes('secret'),
    )
})

test('an address may end in a slash or in the whole path', async () => {
  await using server = await startChatServer(() => ({ text: 'hi' }))
  for (const end of ['', '/', '/chat/completions', '/chat/completions/']) await ask(open(server.url + end))
  assert.ok(server.requests.every((request) => request.path === '/v1/chat/completions'))
})

test('where nothing listens, the error asks whether the server is running there', async () => {
  const server = await startChatServer([])
  await server.close()
  const error = await askFailing(open(server.url))
  assert.equal(error.kind, 'unreachable')
  assert.match(error.fix ?? '', new RegExp(`^Is the server running at ${server.url.slice(0, -3)}\\?$`))
})

test('a server that does not speak HTTP is named as such', async () => {
  await using server = await startSocketServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
  const error = await askFailing(open(`http://${server.host}`))
  assert.equal(error.kind, 'unreadable')
  assert.match(error.message, /not answer in HTTP/)
})
