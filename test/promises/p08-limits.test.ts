import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import type { LimitName } from '../../src/core/limits.ts'
import type { Status } from '../../src/core/outcome.ts'
import { type BenchOptions, calling, callOf, plainTool, runScript, saying, tickingClock } from '../support/bench.ts'

let polls = 0
const same = plainTool('same', 'read', () => 'the same')
const poll = plainTool('poll', 'read', () => `${++polls} %`)
const never = { name: 'never', check: async () => ({ holds: false, detail: 'no' }) }
const working = (n: number) => calling('poll', { n })
const using = (usage: object) => (n: number) => ({ ...working(n), usage })

const cases: readonly [LimitName, BenchOptions, Status][] = [
  ['modelCalls', { script: working, limits: { modelCalls: 4 } }, 'limit'],
  ['toolCalls', { script: working, limits: { toolCalls: 4 } }, 'limit'],
  ['wallTime', { script: working, limits: { wallTime: 50 }, clock: tickingClock() }, 'limit'],
  ['tokens', { script: using({ inputFresh: 90, output: 10 }), limits: { tokens: 400 } }, 'limit'],
  ['contextTokens', { script: using({ inputFresh: 250 }), limits: { contextTokens: 200 } }, 'limit'],
  ['repeats', { script: () => calling('same') }, 'limit'],
  ['malformedReplies', { script: () => ({ text: '' }) }, 'failed'],
  ['rejectedClaims', { script: () => saying('done'), criteria: [never] }, 'failed'],
  ['refusals', { script: (n) => calling('nothing', { n }), limits: { refusals: 4 } }, 'blocked'],
]

for (const [limit, options, status] of cases) {
  test(`${limit} ends the run as "${status}", the outcome names it, and the model is not asked past it`, async () => {
    const trace = await runScript({ tools: [same, poll], ...options })
    assert.equal(trace.outcome.status, status)
    assert.equal(trace.outcome.limit?.limit, limit)
    assert.match(trace.outcome.reason, new RegExp(limit))
    assert.ok(trace.outcome.modelCalls <= (options.limits?.modelCalls ?? 50))
  })
}

test('a service that does not say what it used is counted by estimate: the limit still fires', async () => {
  const trace = await runScript({ script: working, tools: [poll], limits: { tokens: 2_000 } })
  assert.equal(trace.outcome.limit?.limit, 'tokens')
})

test('a limit is checked before each call: the calls of one reply that pass it are answered, not run', async () => {
  const calls = [callOf('poll', { n: 1 }), callOf('poll', { n: 2 }), callOf('poll', { n: 3 })]
  const script = [{ calls }, saying('two of three')]
  const trace = await runScript({ script, tools: [poll], limits: { toolCalls: 2 } })
  assert.equal(trace.all('call.finished').length, 2)
  assert.match(trace.observations()[2] ?? '', /limit of 2 tool calls is used up/)
  assert.equal(trace.outcome.answer, 'two of three')
})

test('all tool calls may be used: the limit fires on one more, not on the last', async () => {
  const trace = await runScript({ script: [calling('poll'), saying('done')], tools: [poll], limits: { toolCalls: 1 } })
  assert.equal(trace.outcome.status, 'answered')
})

test('calls that are refused or cannot be read count like any other', async () => {
  const script = () => ({ calls: [callOf('nothing'), callOf('poll', '{')] })
  const trace = await runScript({ script, tools: [poll], limits: { toolCalls: 3 } })
  assert.equal(trace.outcome.limit?.limit, 'toolCalls')
  assert.equal(trace.outcome.toolCalls, 4)
})

// https://github.com/PrimeIntellect-ai/prime-agent/issues/1326
// https://github.com/xalgorix/xalgorix/pull/159
test('a repeated call is warned about once, then stopped, whatever the model says beside it', async () => {
  const script = (n: number) => ({ ...calling('same'), text: `Let me try something different (${n}).` })
  const trace = await runScript({ script, tools: [same] })
  assert.equal(trace.all('limit.near').length, 1)
  const told = trace.run.state.messages.find(({ text }) => text.includes('same call'))
  assert.equal(told?.role, 'observation')
  assert.equal(trace.outcome.limit?.limit, 'repeats')
  assert.equal(trace.all('call.started').length, 5)
})

test('two calls that take turns are a repeat too', async () => {
  const trace = await runScript({ script: (n) => calling('same', { n: n % 2 }), tools: [same] })
  assert.equal(trace.outcome.limit?.limit, 'repeats')
})

// https://github.com/fastclaw-ai/fastclaw/pull/80
// https://github.com/google-gemini/gemini-cli/issues/5873
// https://github.com/google-gemini/gemini-cli/issues/8234
// https://github.com/google-gemini/gemini-cli/issues/7950
test('polling that changes, edits of many files, and a check after each change are progress', async () => {
  const edit = plainTool('edit', 'write', ({ n }) => ({ text: 'edited', files: [`f${n}`] }))
  const script = (n: number) =>
    n === 30 ? saying('done') : n % 3 === 0 ? calling('edit', { n }) : n % 3 === 1 ? calling('same') : calling('poll')
  const trace = await runScript({ script, tools: [same, poll, edit] })
  assert.equal(trace.outcome.status, 'answered')
  assert.equal(trace.all('limit.near').length, 0)
})

test('an edit that is made and taken back again and again is a repeat', async () => {
  const edit = plainTool('edit', 'write', () => ({ text: 'edited', files: ['f'] }))
  const trace = await runScript({ script: (n) => calling('edit', { to: n % 2 }), tools: [edit] })
  assert.equal(trace.outcome.limit?.limit, 'repeats')
})

test('a model that hangs is stopped by the time that is left', async () => {
  const script = () => ({ text: 'late', delayMs: 60_000 })
  const trace = await runScript({ script, limits: { wallTime: 40 }, clock: systemClock })
  assert.equal(trace.outcome.status, 'limit')
  assert.equal(trace.outcome.limit?.limit, 'wallTime')
})

test('a tool that ignores its signal is left behind when its time is up, and the run goes on', async () => {
  const deaf = { ...plainTool('deaf', 'read', () => wait(60_000, 'late', { ref: false })), timeLimit: 20 }
  const trace = await runScript({ script: [calling('deaf'), saying('done')], tools: [deaf], clock: systemClock })
  assert.match(trace.observations()[0] ?? '', /took longer than 20 ms and was stopped/)
  assert.equal(trace.outcome.status, 'answered')
})

test('with refusals: 0 the first call to what the run may not have ends it, and a run without one goes on', async () => {
  const limits = { refusals: 0 }
  const refused = await runScript({ script: () => calling('gone'), tools: [same], limits })
  assert.deepEqual([refused.outcome.status, refused.outcome.modelCalls], ['blocked', 1])
  const script = [calling('same'), saying('done')]
  const forced = await runScript({ script, tools: [same], limits: { ...limits, toolCalls: 1 } })
  assert.equal(forced.outcome.status, 'answered')
})
