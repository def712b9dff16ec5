import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Criterion } from '../../src/judge/criterion.ts'
import { calling, plainTool, runScript, saying } from '../support/bench.ts'

/** A world with one fact in it, a tool that changes it, and a criterion that looks at it. */
function world() {
  let fixed = false
  const fix = plainTool('fix', 'write', ({ to }) => {
    fixed = to !== false
    return 'ok'
  })
  const isFixed: Criterion = {
    name: 'it is fixed',
    check: async () => ({ holds: fixed, detail: fixed ? 'exit code 0' : 'exit code 1: expected 0, got 300' }),
  }
  return { fix, isFixed }
}

test('a claim at once is rejected, the model is told what failed, and success comes only with the proof', async () => {
  const { fix, isFixed } = world()
  const script = [saying('All tests pass.'), calling('fix'), saying('Now they do.')]
  const trace = await runScript({ script, tools: [fix], criteria: [isFixed] })
  assert.equal(trace.outcome.status, 'success')
  assert.equal(trace.outcome.answer, 'Now they do.')
  assert.match(trace.model.requests[1]?.messages.at(-1)?.text ?? '', /it is fixed\nexit code 1: expected 0, got 300/)
  assert.deepEqual(trace.outcome.evidence, [{ criterion: 'it is fixed', holds: true, detail: 'exit code 0' }])
})

test('every check is newer than the last change', async () => {
  const { fix, isFixed } = world()
  const script = [calling('fix'), calling('fix', { to: false }), saying('Done.'), calling('fix'), saying('Done.')]
  const trace = await runScript({ script, tools: [fix], criteria: [isFixed] })
  const checks = trace.events.filter((event) => event.kind === 'check.finished')
  assert.deepEqual(
    checks.map(({ holds }) => holds),
    [false, true],
  )
  for (const check of checks) {
    const lastEffect = trace.events.findLast((event) => event.kind === 'call.finished' && event.seq < check.seq)
    assert.equal(check.lastChange, lastEffect?.seq)
  }
})

test('a check that cannot be made does not hold', async () => {
  const broken: Criterion = { name: 'broken', check: () => Promise.reject(new Error('no such file')) }
  const trace = await runScript({ script: () => saying('Done.'), criteria: [broken] })
  assert.equal(trace.outcome.status, 'failed')
  assert.match(trace.outcome.evidence[0]?.detail ?? '', /no such file/)
})

// https://github.com/huggingface/smolagents/issues/2686
test('an answer that a limit forced is judged too: with the proof it is a success that names the limit', async () => {
  const { fix, isFixed } = world()
  const script = [calling('fix'), calling('fix', { again: 1 }), saying('That is all I can do.')]
  const trace = await runScript({ script, tools: [fix], criteria: [isFixed], limits: { toolCalls: 1 } })
  assert.equal(trace.outcome.status, 'success')
  assert.equal(trace.outcome.limit?.limit, 'toolCalls')
  assert.equal(trace.model.requests.at(-1)?.toolChoice, 'none')
})

test('an answer that a limit forced is no success without the proof', async () => {
  const { fix, isFixed } = world()
  const script = [calling('fix', { to: false }), calling('fix', { to: false, again: 1 }), saying('Fixed.')]
  const trace = await runScript({ script, tools: [fix], criteria: [isFixed], limits: { toolCalls: 1 } })
  assert.equal(trace.outcome.status, 'limit')
  assert.equal(trace.outcome.evidence[0]?.holds, false)
})

test('a forced answer to a task without criteria is handed over as what it is', async () => {
  const script = [calling('fix'), calling('fix', { again: 1 }), saying('Half of it.')]
  const trace = await runScript({ script, tools: [world().fix], limits: { toolCalls: 1 } })
  assert.equal(trace.outcome.status, 'limit')
  assert.equal(trace.outcome.answer, 'Half of it.')
})

test('calls in a reply that should be the last answer are not run', async () => {
  let ran = 0
  const count = plainTool('count', 'write', () => `${++ran}`)
  const trace = await runScript({ script: (n) => calling('count', { n }), tools: [count], limits: { toolCalls: 1 } })
  assert.equal(ran, 1)
  assert.equal(trace.outcome.status, 'limit')
  assert.equal(trace.outcome.modelCalls, 3)
})
