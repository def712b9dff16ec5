import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { called } from '../../src/judge/called.ts'
import type { Criterion } from '../../src/judge/criterion.ts'
import { calling, callOf, plainTool, runScript, saying } from '../support/bench.ts'

/** Holds or not, and counts how often it was asked. */
function counting(holds: (asked: number) => boolean, more: Partial<Criterion> = {}) {
  let asked = 0
  const criterion: Criterion = {
    name: 'counted',
    ...more,
    check: async () => ({ holds: holds(++asked), detail: `asked ${asked} times` }),
  }
  return { criterion, times: () => asked }
}

test('the same claim without a new observation is sent back without being checked again', async () => {
  const { criterion, times } = counting(() => false)
  const look = plainTool('look', 'read', () => 'seen')
  const script = [saying('Done.'), saying('Done.'), calling('look'), saying('Done.'), saying('Done!')]
  const trace = await runScript({ script, tools: [look], criteria: [criterion], limits: { rejectedClaims: 4 } })
  assert.equal(times(), 3)
  assert.equal(trace.outcome.status, 'failed')
  const [, second] = trace.all('claim.rejected')
  assert.match(second?.observation ?? '', /^You said the same before[\s\S]*- counted\nasked 1 times$/)
})

test('a check that could not be made is made again for the same claim', async () => {
  let asked = 0
  const flaky: Criterion = {
    name: 'flaky',
    check: async () => {
      if (++asked === 1) throw new Error('not reachable')
      return { holds: true, detail: 'ok' }
    },
  }
  const trace = await runScript({ script: () => saying('Done.'), criteria: [flaky] })
  assert.deepEqual([trace.outcome.status, asked], ['success', 2])
})

test('what was true before anything was done is reported, and still counts', async () => {
  const { criterion } = counting(() => true, { early: true })
  const trace = await runScript({ script: [saying('Done.')], criteria: [criterion] })
  assert.equal(trace.all('start.checked')[0]?.evidence[0]?.holds, true)
  assert.equal(trace.outcome.evidence[0]?.heldBefore, true)
  assert.equal(trace.outcome.status, 'success')
})

// https://github.com/anthropics/claude-code/issues/37297
test('with mustFailFirst a check that cannot fail keeps the run from starting: nothing is asked', async () => {
  const { criterion } = counting(() => true, { early: true, mustFailFirst: true })
  const trace = await runScript({ script: [], criteria: [criterion] })
  assert.equal(trace.outcome.status, 'blocked')
  assert.match(trace.outcome.reason, /"counted" must fail first, but it holds before anything was done/)
  assert.equal(trace.model.requests.length, 0)
})

test('with mustFailFirst a check that cannot be made keeps the run from starting as well', async () => {
  const broken: Criterion = {
    name: 'x',
    early: true,
    mustFailFirst: true,
    check: () => Promise.reject(new Error('no')),
  }
  const trace = await runScript({ script: [], criteria: [broken] })
  assert.equal(trace.outcome.status, 'blocked')
})

test('with mustFailFirst a check that fails first lets the run start, and is reported as no surprise', async () => {
  const { criterion } = counting((asked) => asked > 1, { early: true, mustFailFirst: true })
  const trace = await runScript({ script: [saying('Done.')], criteria: [criterion] })
  assert.equal(trace.outcome.status, 'success')
  assert.equal(trace.outcome.evidence[0]?.heldBefore, undefined)
})

test('opinions alone are never a success, and a bad one sends the claim back', async () => {
  const opinion = (holds: boolean): Criterion => ({
    name: 'opinion',
    check: async () => ({
      holds,
      detail: 'fine',
      doubt: 'opinion',
      usage: { inputFresh: 7, inputCached: 0, inputCacheWritten: 0, output: 1, reasoning: 0 },
    }),
  })
  const good = await runScript({ script: [saying('Done.')], criteria: [opinion(true)] })
  assert.deepEqual([good.outcome.status, good.outcome.evidence[0]?.doubt], ['answered', 'opinion'])
  assert.ok(good.outcome.usage.inputFresh >= 7)
  const bad = await runScript({ script: () => saying('Done.'), criteria: [opinion(false)] })
  assert.equal(bad.outcome.status, 'failed')
})

// https://github.com/anthropics/claude-code/issues/95319
test('a text that says more than the calls did is sent back, and told which call is missing', async () => {
  const copy = plainTool('copy', 'write', () => 'copied')
  const criteria = ['a', 'b', 'c'].map((file) => called({ tool: 'copy', with: { file }, fresh: false }))
  const script = [
    { text: 'Copied a, b and c.', calls: [callOf('copy', { file: 'a' }), callOf('copy', { file: 'b' })] },
    saying('Deposited all three.'),
    calling('copy', { file: 'c' }),
    saying('Now all three.'),
  ]
  const trace = await runScript({ script, tools: [copy], criteria })
  assert.match(trace.all('claim.rejected')[0]?.observation ?? '', /1 of 3 criteria .*:\n- called: copy \{ file: "c" \}/)
  assert.equal(trace.outcome.status, 'success')
})

// https://github.com/amd/gaia/issues/3943
// https://github.com/amd/gaia/issues/3750
test('a run that only repeats itself is not called done by whoever stops it', async () => {
  const search = plainTool('search', 'read', () => 'nothing new')
  const { criterion } = counting(() => false)
  const script = (n: number) => (n < 3 ? calling('search') : saying('Task completed, no further action needed.'))
  const trace = await runScript({ script, tools: [search], criteria: [criterion], limits: { repeats: 3 } })
  assert.deepEqual([trace.outcome.status, trace.outcome.limit?.limit], ['limit', 'repeats'])
})

test('over 10,000 random scripts no run is a success whose criteria do not hold on what it delivers', async () => {
  // In a thread of its own: the test runner follows every promise, which costs three times what the runs do.
  const worker = new Worker(new URL('./random-runs.ts', import.meta.url))
  const [told] = await once(worker, 'message')
  assert.equal(told.runs, 10_000)
  assert.ok(told.successes > 500, `${told.successes} of the runs were a success`)
})
