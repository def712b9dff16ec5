import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run, scripted } from '../../src/index.ts'
import { called } from '../../src/judge/called.ts'
import type { Criterion } from '../../src/judge/criterion.ts'
import { fact } from '../../src/judge/fact.ts'
import { grounded } from '../../src/judge/grounded.ts'
import type { ScriptReply } from '../../src/model/script.ts'
import { calling, plainTool, runScript, saying, type Trace } from '../support/bench.ts'

const look = plainTool('look', 'read', ({ at }) => `seen ${at}`)
const sawA = called({ tool: 'look', with: { at: 'a' } })
const sawB = called({ tool: 'look', with: { at: 'b' } })

/** Counts how often it is checked, and needs what it says. */
function counting(more: Partial<Criterion> = {}) {
  let asked = 0
  const criterion: Criterion = {
    name: 'counted',
    ...more,
    check: async () => ({ holds: ++asked > 1, detail: `${asked}` }),
  }
  return { criterion, times: () => asked }
}

const told = ({ outcome }: Pick<Trace, 'outcome'>) =>
  outcome.evidence.map(({ criterion, holds, detail }) => `${holds ? 'yes' : 'no'}: ${criterion}: ${detail}`)

const HALF = [
  'yes: called: look { at: "a" }: The call of step 1 (call_1_0) did.',
  'no: called: look { at: "b" }: No such call was made.',
]

// https://github.com/huggingface/smolagents/issues/2686
test('a run that a limit ends without a claim says what holds and what is missing', async () => {
  const script = [calling('look', { at: 'a' })]
  const trace = await runScript({ script, tools: [look], criteria: [sawA, sawB], limits: { modelCalls: 1 } })
  assert.equal(trace.outcome.status, 'limit')
  assert.deepEqual(told(trace), HALF)
})

test('an answer that a limit forces is judged, and the run is no success unless all of it holds', async () => {
  const script = [calling('look', { at: 'a' }), calling('look', { at: 'b' }), saying('Both seen.')]
  const limits = { toolCalls: 1 }
  const trace = await runScript({ script, tools: [look], criteria: [sawA, sawB], limits })
  assert.equal(trace.outcome.status, 'limit')
  assert.deepEqual(told(trace), HALF)
  assert.equal(trace.all('claim.rejected').length, 1)
  assert.equal(trace.all('end.checked').length, 0, 'nothing was seen since')
})

/** A run that a person cancels while the model is asked for the second time. */
function cancelled(criteria: readonly Criterion[]): Promise<Trace> {
  const stop = new AbortController()
  const script = (n: number): ScriptReply => {
    if (n === 1) stop.abort(new Error('a person'))
    return calling('look', { at: 'a' })
  }
  return runScript({ script, tools: [look], criteria, signal: stop.signal })
}

test('a cancelled run is judged by what only has to be looked at, and says what was not checked', async () => {
  const { criterion, times } = counting({ asks: 'command', early: true })
  const trace = await cancelled([sawA, criterion])
  assert.equal(trace.outcome.status, 'cancelled')
  assert.deepEqual(told(trace), [HALF[0], 'no: counted: Not checked: the run was cancelled.'])
  assert.equal(times(), 1, 'before the first step')
})

test('a check that hangs does not keep a cancelled run from ending', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const check = () => {
    queueMicrotask(() => mock.timers.tick(10_000))
    return new Promise<never>(() => {})
  }
  const { outcome } = await cancelled([{ name: 'hangs', check }])
  assert.deepEqual([outcome.status, outcome.evidence[0]?.doubt], ['cancelled', 'timeout'])
})

test('a run that is handed over to a person says what is missing', async () => {
  const model = scripted([calling('look', { at: 'a' })])
  const done = [sawA, sawB]
  const outcome = await run('Look at a and b.', {
    model,
    tools: [look],
    done,
    handOver: true,
    limits: { modelCalls: 1 },
  })
  assert.equal(outcome.status, 'blocked')
  assert.deepEqual(told({ outcome }), HALF)
  assert.equal(outcome.handOver?.tried.length, 1)
})

test('a run whose model fails, and one whose replies cannot be read, are judged as well', async () => {
  const failing: ScriptReply = { error: { status: 401, body: 'no' } }
  const broken: ScriptReply = { text: 'Half a rep', finish: 'length' }
  for (const bad of [[failing], [broken, broken, broken]]) {
    const script = [calling('look', { at: 'a' }), ...bad]
    const trace = await runScript({ script, tools: [look], criteria: [sawA, sawB] })
    assert.equal(trace.outcome.status, 'failed')
    assert.deepEqual(told(trace), HALF)
  }
})

test('what was done after a claim was sent back counts: it is looked at again, once', async () => {
  const script = [saying('Done.'), calling('look', { at: 'a' })]
  const trace = await runScript({ script, tools: [look], criteria: [sawA, sawB], limits: { modelCalls: 2 } })
  assert.deepEqual(told(trace), ['yes: called: look { at: "a" }: The call of step 2 (call_2_0) did.', HALF[1]])
  assert.equal(trace.all('end.checked').length, 1)
})

test('where no call was run no command is run again, and what was found before the first step is told', async () => {
  const { criterion, times } = counting({ asks: 'command', early: true })
  const failing: ScriptReply = { error: { status: 401, body: 'no' } }
  const trace = await runScript({ script: [failing], tools: [look], criteria: [criterion, sawA] })
  assert.deepEqual(told(trace), ['no: counted: 1', 'no: called: look { at: "a" }: No such call was made.'])
  assert.equal(times(), 1)
})

test('no model is asked for its opinion of what nobody claimed, and nothing that was not said is grounded', async () => {
  const { criterion, times } = counting({ asks: 'model' })
  const options = { tools: [look], criteria: [criterion, grounded()], limits: { modelCalls: 1 } }
  const trace = await runScript({ script: [calling('look')], ...options })
  assert.match(told(trace).join('\n'), /Not checked: nothing was claimed[\s\S]*no: grounded: .*There is no answer\./)
  assert.equal(times(), 0)
})

test('facts that the answer still needs are named at a limit', async () => {
  const facts = [{ name: 'total', from: [{ tool: 'look', pattern: '/total (\\d+)/' }] }]
  const options = { tools: [look], facts, answer: 'It is {{total}}.', criteria: [fact({ fact: 'total' })] }
  const trace = await runScript({ script: [calling('look')], limits: { modelCalls: 1 }, ...options })
  assert.match(told(trace).join('\n'), /no: the facts: The answer needs the fact total/)
})

test('a criterion that cannot be checked at the end does not keep the run from ending', async () => {
  const criterion: Criterion = { name: 'throws', check: () => Promise.reject(new Error('gone')) }
  const { outcome } = await runScript({
    script: [calling('look')],
    tools: [look],
    criteria: [criterion],
    limits: { modelCalls: 1 },
  })
  assert.deepEqual([outcome.status, outcome.evidence[0]?.doubt], ['limit', 'error'])
})
