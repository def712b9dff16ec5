import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finish } from '../../src/core/request.ts'
import { callOf, plainTool, runScript, saying } from '../support/bench.ts'

const incomplete: readonly (readonly [Finish, RegExp])[] = [
  ['length', /cut off at the token limit/],
  ['filtered', /withheld by the service/],
  ['broken', /broke off on its way/],
]

for (const [finish, told] of incomplete) {
  // https://github.com/aaif-goose/goose/pull/7840
  test(`nothing is executed from a reply that ended with "${finish}", and the model is told why`, async () => {
    let ran = 0
    const touch = plainTool('touch', 'write', () => `${++ran}`)
    const cut = { text: 'I will touch it.', calls: [callOf('touch')], finish }
    const trace = await runScript({ script: [cut, saying('done')], tools: [touch] })
    assert.equal(ran, 0)
    assert.equal(trace.all('call.started').length, 0)
    assert.match(trace.model.requests[1]?.messages.at(-1)?.text ?? '', told)
    assert.match(trace.all('reply.malformed')[0]?.raw ?? '', /touch/)
  })

  // https://github.com/Hal0ai/hal0/issues/1598
  // https://github.com/exo-explore/exo/pull/2001
  test(`a text that ended with "${finish}" is no answer`, async () => {
    const trace = await runScript({ script: [{ text: 'All is', finish }, saying('All is well.')] })
    assert.equal(trace.outcome.answer, 'All is well.')
    assert.equal(trace.all('claim.made').length, 1)
  })
}

// https://github.com/mastra-ai/mastra/issues/15717
test('replies that are cut again and again end the run with the limit named', async () => {
  const trace = await runScript({ script: () => ({ text: 'Let me check…', finish: 'length' }) })
  assert.equal(trace.outcome.status, 'failed')
  assert.equal(trace.outcome.limit?.limit, 'malformedReplies')
  assert.equal(trace.outcome.modelCalls, 3)
})

// https://github.com/mastra-ai/mastra/pull/14187
test('an empty reply is malformed, not success', async () => {
  const trace = await runScript({ script: [{ text: '  ', finish: 'stop' }, { finish: 'calls' }, saying('here')] })
  assert.equal(trace.all('reply.malformed').length, 2)
  assert.equal(trace.outcome.answer, 'here')
})

// https://github.com/log10-io/log10/pull/152
test('calls win over text and over a finish reason that says stop', async () => {
  const look = plainTool('look', 'read', () => 'seen')
  const script = [{ text: 'Done!', calls: [callOf('look')], finish: 'stop' as const }, saying('done')]
  const trace = await runScript({ script, tools: [look] })
  assert.deepEqual(trace.observations(), ['seen'])
  assert.equal(trace.outcome.answer, 'done')
})
