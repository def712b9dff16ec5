import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatReply, RawAnswer } from '../../test/support/chat-server.ts'
import { startChatServer } from '../../test/support/chat-server.ts'
import { ask, askFailing, open, startSocketServer, until } from './chat.contract.ts'
import type { Timeouts } from './http-post.ts'
import { failure, HEAD, NEVER, requestOf } from './model.contract.ts'

const EVENTS = { 'content-type': 'text/event-stream' }
const PIECE = 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n'
const LAST = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'

const SLOW: readonly (readonly [keyof Timeouts, ChatReply, Partial<Timeouts>])[] = [
  ['firstByte', { text: 'late', delayMs: 1_000 }, { firstByte: 30 }],
  ['idle', { raw: [PIECE], headers: EVENTS, ends: 'hang' }, { idle: 30 }],
  ['total', { raw: Array(100).fill(': wait\n\n'), headers: EVENTS, pauseMs: 10 }, { idle: 500, total: 60 }],
]

for (const [limit, reply, timeouts] of SLOW)
  test(`the time limit "${limit}" ends the wait, is named and closes the connection`, async () => {
    await using server = await startChatServer([reply])
    const error = await askFailing(open(server.url, { timeouts }), true)
    assert.equal(error.kind, 'timeout')
    assert.match(error.message, new RegExp(`within ${(timeouts[limit] ?? 0) / 1000} s \\(time limit "${limit}"\\)`))
    await until(() => server.abandoned === 1)
  })

test('the time limit "connect" ends the wait for a connection and is named', async () => {
  await using silent = await startSocketServer(() => undefined) // never answers the TLS greeting
  const error = await askFailing(open(`https://${silent.host}`, { timeouts: { connect: 30 } }))
  assert.equal(error.kind, 'timeout')
  assert.match(error.message, /time limit "connect"/)
})

test('an abort before there is a connection rejects at once', async () => {
  await using silent = await startSocketServer(() => undefined)
  const controller = new AbortController()
  const reason = new Error('stopped')
  setTimeout(() => controller.abort(reason), 20)
  assert.equal(await failure(ask(open(`https://${silent.host}`), false, controller.signal)), reason)
})

test('comments keep a slow stream alive', async () => {
  const waits = Array(6).fill(': keep-alive\n\n')
  await using server = await startChatServer([{ raw: [...waits, PIECE, LAST], headers: EVENTS, pauseMs: 30 }])
  const reply = await ask(open(server.url, { timeouts: { idle: 150 } }), true)
  assert.equal(reply.text, 'a')
})

test('a complete stream whose connection stays open is not waited for', async () => {
  const hanging: RawAnswer = { raw: [PIECE, LAST, 'data: [DONE]\n\n'], headers: EVENTS, ends: 'hang' }
  await using server = await startChatServer([hanging])
  const started = performance.now()
  assert.equal((await ask(open(server.url), true)).finish, 'stop')
  assert.ok(performance.now() - started < 1_000)
})

test('an abort before the answer begins closes the connection', async () => {
  await using server = await startChatServer([{ text: 'late', delayMs: 2_000 }])
  const controller = new AbortController()
  const asked = ask(open(server.url), false, controller.signal)
  await until(() => server.requests.length === 1)
  controller.abort(new Error('stopped'))
  await failure(asked)
  await until(() => server.abandoned === 1)
})

test('an abort in mid-stream rejects with the reason, ends the deltas and closes the connection', async () => {
  await using server = await startChatServer([{ raw: Array(50).fill(PIECE), headers: EVENTS, pauseMs: 5 }])
  const model = open(server.url)
  const controller = new AbortController()
  const reason = new Error('heard enough')
  let deltas = 0
  const asked = model.ask(requestOf(model, { ...HEAD, stream: true }), {
    signal: controller.signal,
    onDelta: () => {
      if (++deltas === 3) controller.abort(reason)
    },
  })
  assert.equal(await failure(asked), reason)
  await until(() => server.abandoned === 1)
  assert.equal(deltas, 3)
})

test('connections are kept and used again', async () => {
  await using server = await startChatServer(() => ({ text: 'hi' }))
  const model = open(server.url)
  for (let n = 0; n < 5; n++) {
    await ask(model, n % 2 === 1)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.equal(server.connections, 1)
})

test('a listener that throws fails the request, not the process', async () => {
  await using server = await startChatServer([{ text: 'hi' }])
  const model = open(server.url)
  const bug = new Error('a bug in the listener')
  const asked = model.ask(requestOf(model, { ...HEAD, stream: true }), {
    signal: NEVER,
    onDelta: () => {
      throw bug
    },
  })
  assert.equal(await failure(asked), bug)
})
