import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ScriptReply } from '../../src/model/script.ts'
import { calling, callOf, pairingFault, plainTool, runScript, saying, type Trace } from '../support/bench.ts'

const look = plainTool('look', 'read', () => 'seen')
const change = plainTool('change', 'write', () => 'changed')
const fail = plainTool('fail', 'write', () => {
  throw new Error('it broke')
})

function assertPaired({ model }: Trace): void {
  for (const request of model.requests) assert.equal(pairingFault(request.messages), undefined)
}

test('every way a call can be wrong gives it one answer, and the run goes on', async () => {
  const trace = await runScript({
    script: [
      calling('lok', {}),
      calling('constructor', {}),
      calling('look', '{"a": '),
      calling('look', '[1]'),
      { calls: [callOf('look', {}, 'same'), callOf('change', {}, 'same')] },
      { calls: [callOf('look', {}, ''), callOf('fail'), callOf('look')] },
      saying('done'),
    ],
    tools: [look, change, fail],
  })
  assert.equal(trace.outcome.status, 'answered')
  assertPaired(trace)
  const [unknown, inherited, broken, list, first, second, ...rest] = trace.observations()
  assert.match(unknown ?? '', /no tool "lok".*Did you mean "look"/)
  assert.match(inherited ?? '', /no tool "constructor"/)
  assert.match(broken ?? '', /cannot be read.*They began: \{"a": /)
  assert.match(list ?? '', /must be one JSON object/)
  assert.deepEqual([first, second], ['seen', 'changed'])
  assert.deepEqual(rest, ['seen', 'The tool failed: it broke', 'seen'])
})

// https://github.com/charmbracelet/crush/issues/3121
test('a call that a service sends twice with one id is run once and answered twice', async () => {
  let ran = 0
  const count = plainTool('count', 'write', () => `${++ran}`)
  const trace = await runScript({
    script: [{ calls: [callOf('count', {}, 'dup'), callOf('count', {}, 'dup')] }, saying('done')],
    tools: [count],
  })
  assert.equal(ran, 1)
  assertPaired(trace)
  assert.match(trace.observations()[1] ?? '', /repeats call dup/)
})

// https://github.com/QwenLM/qwen-code/issues/8382
test('a service that counts its ids anew in each reply is no replay', async () => {
  const trace = await runScript({
    script: [calling('look', { n: 1 }, 'look:0'), calling('look', { n: 2 }, 'look:0'), saying('done')],
    tools: [look],
  })
  assert.deepEqual(trace.observations(), ['seen', 'seen'])
  assertPaired(trace)
  const ids = trace.all('model.replied').flatMap(({ calls }) => calls.map(({ id }) => id))
  assert.equal(new Set(ids).size, 2)
})

// https://github.com/Bike4Mind/bike4mind/pull/207
// https://github.com/ayunis-core/ayunis-core/pull/800
// https://github.com/earendil-works/pi/pull/4741
test('a run cancelled between two calls keeps the results it has and answers the rest', async () => {
  const controller = new AbortController()
  const stop = plainTool('stop', 'write', () => {
    controller.abort(new Error('the user'))
    return 'stopped'
  })
  const trace = await runScript({
    script: [{ calls: [callOf('change'), callOf('stop'), callOf('change')] }],
    tools: [change, stop],
    signal: controller.signal,
  })
  assert.equal(trace.outcome.status, 'cancelled')
  const observations = trace.observations()
  assert.equal(observations.length, 3)
  assert.equal(observations[0], 'changed')
  assert.match(observations[2] ?? '', /Not run: the run was cancelled/)
  assert.equal(trace.all('call.started').length, 2)
  assert.equal(trace.model.requests.length, 1)
})

const replies: fc.Arbitrary<ScriptReply> = fc.record(
  {
    text: fc.constantFrom('', 'hm'),
    calls: fc.array(
      fc.record({
        id: fc.constantFrom('', 'a', 'b'),
        name: fc.constantFrom('look', 'change', 'fail', 'toString', 'nothing'),
        arguments: fc.constantFrom('', '{}', '{"a":1}', 'null', '{"__proto__":1}', '{'),
      }),
      { maxLength: 4 },
    ),
    finish: fc.constantFrom('stop', 'calls', 'length', 'broken', 'filtered', 'other'),
  },
  { requiredKeys: ['calls'] },
)

test('whatever the replies and wherever the run is stopped, history can always be sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(replies, { maxLength: 6 }), fc.nat({ max: 40 }), async (script, stopAt) => {
      const controller = new AbortController()
      const trace = await runScript({
        script: [...script, saying('done'), saying('done'), saying('done'), saying('done')],
        tools: [look, change, fail],
        signal: controller.signal,
        onEvent: ({ seq }) => seq === stopAt && controller.abort(new Error('the test')),
      })
      assertPaired(trace)
      const wire = trace.run.state.messages.map((message) =>
        trace.run.parts.protocol.render(message, trace.run.definitions),
      )
      assert.equal(pairingFault(wire), undefined)
      assert.equal(trace.all('run.ended').length, 1)
    }),
    { numRuns: 150 },
  )
})
