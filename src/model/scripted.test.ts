import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failure, HEAD, HELLO, modelContract, NEVER, requestOf } from './model.contract.ts'
import { ModelError } from './model.ts'
import { scripted } from './scripted.ts'

modelContract('scripted', async (replies) => ({ model: scripted(replies), async [Symbol.asyncDispose]() {} }))

const isScriptError = (says: RegExp) => (error: unknown) =>
  error instanceof ModelError && error.kind === 'script' && says.test(error.message)

test('a request beyond the script fails loudly', async () => {
  const model = scripted([{ text: 'one' }], { name: 'scripted/demo.json' })
  await model.ask(requestOf(model), { signal: NEVER })
  const error = await failure(model.ask(requestOf(model), { signal: NEVER }))
  assert.ok(isScriptError(/demo\.json has 1 replies, 2 were asked for/)(error))
})

test('replies left over fail loudly, a script used up does not', async () => {
  const model = scripted([{ text: 'one' }, { text: 'two' }])
  await model.ask(requestOf(model), { signal: NEVER })
  assert.throws(() => model.assertFinished(), isScriptError(/has 2 replies, 1 were asked for/))
  await model.ask(requestOf(model), { signal: NEVER })
  model.assertFinished()
})

test('a function is given the request and its number; giving nothing is an error', async () => {
  const model = scripted(async (request, n) => (n < 2 ? { text: `${n}: ${request.messages.length}` } : undefined))
  const texts = [
    await model.ask(requestOf(model), { signal: NEVER }),
    await model.ask(requestOf(model), { signal: NEVER }),
  ]
  assert.deepEqual(
    texts.map((reply) => reply.text),
    ['0: 2', '1: 2'],
  )
  assert.ok(isScriptError(/no reply to request 3/)(await failure(model.ask(requestOf(model), { signal: NEVER }))))
  model.assertFinished()
})

test('what was asked stays as it was when the conversation goes on', async () => {
  const model = scripted([{ text: 'one' }])
  const messages = [...HELLO]
  const body = model.openBody(HEAD)
  for (const message of messages) body.append(message)
  await model.ask({ step: 0, head: HEAD, messages, toolChoice: 'auto', ...body.take('auto') }, { signal: NEVER })
  const before = Buffer.from(model.requests[0]?.bytes ?? []).toString()
  messages.push({ role: 'user', text: 'more' })
  body.append({ role: 'user', text: 'more' })
  body.take('none')
  assert.equal(model.requests[0]?.messages.length, 2)
  assert.equal(Buffer.from(model.requests[0]?.bytes ?? []).toString(), before)
  assert.equal(JSON.parse(before).messages.length, 2)
})

test('a script can go on where another process left it', async () => {
  const model = scripted([{ text: 'one' }, { text: 'two' }], { from: 1 })
  assert.equal((await model.ask(requestOf(model), { signal: NEVER })).text, 'two')
  model.assertFinished()
})

test('it can invent observations, repeat ids and be cut: nothing is set right', async () => {
  const text = 'Action: ls\nObservation: all tests pass'
  const calls = [
    { id: 'same', name: 'bash', arguments: '{' },
    { id: 'same', name: 'bash', arguments: '[]' },
  ]
  const model = scripted([{ text, calls, finish: 'stop' }])
  const reply = await model.ask(requestOf(model), { signal: NEVER })
  assert.deepEqual([reply.text, reply.calls, reply.finish], [text, calls, 'stop'])
})

test('a listener that has heard enough ends the reply with its reason', async () => {
  const model = scripted([{ text: 'a long text that takes more than one delta to be told' }])
  const controller = new AbortController()
  const reason = new Error('enough')
  let deltas = 0
  const asked = model.ask(requestOf(model, { ...HEAD, stream: true }), {
    signal: controller.signal,
    onDelta: () => {
      deltas++
      controller.abort(reason)
    },
  })
  assert.equal(await failure(asked), reason)
  assert.equal(deltas, 1)
})

test('a script that never answers is left at once when the run is stopped', async () => {
  const model = scripted(() => new Promise(() => undefined))
  const controller = new AbortController()
  const reason = new Error('stopped')
  setTimeout(() => controller.abort(reason), 5)
  assert.equal(await failure(model.ask(requestOf(model), { signal: controller.signal })), reason)
})
