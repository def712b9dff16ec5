import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { run } from '../../src/index.ts'
import { calling, callOf, saying } from '../support/bench.ts'
import { startChatServer } from '../support/chat-server.ts'
import { givenTree } from '../support/given-tree.ts'

test('a service that never answers is left when the time of the run is up', async () => {
  await using server = await startChatServer([{ raw: [], ends: 'hang' }])
  const model = { model: 'openai-compatible/any', baseUrl: server.url }
  const outcome = await run('Say it.', { ...model, limits: { wallTime: 150 } })
  assert.equal(outcome.limit?.limit, 'wallTime')
})

test('a stream that stops in the middle is left when the time of the run is up', async () => {
  const raw = ['data: {"choices":[{"index":0,"delta":{"content":"It is"}}]}\n\n']
  await using server = await startChatServer([{ raw, headers: { 'content-type': 'text/event-stream' }, ends: 'hang' }])
  const model = { model: 'openai-compatible/any', baseUrl: server.url, stream: true }
  const outcome = await run('Say it.', { ...model, limits: { wallTime: 150 } })
  assert.equal(outcome.limit?.limit, 'wallTime')
  assert.equal(outcome.answer, undefined)
})

// https://github.com/anomalyco/opencode/issues/48414
test('a command whose background process holds its output returns at once, and the process is gone', async () => {
  await using server = await startChatServer([
    calling('bash', { command: 'sleep 600 & setsid sleep 600 & echo started' }),
    saying('done'),
  ])
  await using given = await givenTree({ 'a.txt': 'a' })
  const began = Date.now()
  const workspace = given.workspace.record.source
  const outcome = await run('Start it.', { model: 'openai-compatible/any', baseUrl: server.url, workspace })
  assert.equal(outcome.status, 'answered')
  assert.ok(Date.now() - began < 60_000, 'far below the 600 seconds of the process')
  assert.match(server.requests[1]?.raw ?? '', /started/)
})

test('a run is cancelled while a command runs: it ends, and its pairs are closed', async () => {
  const controller = new AbortController()
  const calls = [callOf('bash', { command: 'sleep 600' }), callOf('bash', { command: 'echo never' })]
  await using server = await startChatServer([{ calls }])
  await using given = await givenTree({ 'a.txt': 'a' })
  const finished: string[] = []
  const outcome = await run('Wait.', {
    model: 'openai-compatible/any',
    baseUrl: server.url,
    workspace: given.workspace.record.source,
    signal: controller.signal,
    onEvent: (event) => {
      if (event.kind === 'call.started') void wait(100).then(() => controller.abort(new Error('the user')))
      if (event.kind === 'call.finished' || event.kind === 'call.refused') finished.push(event.observation)
    },
  })
  assert.equal(outcome.status, 'cancelled')
  assert.equal(finished.length, 2)
  assert.match(finished[1] ?? '', /Not run/)
})
