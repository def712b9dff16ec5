import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../src/core/json.ts'
import { FenceError } from '../src/journal/journal.ts'
import { called } from '../src/judge/called.ts'
import { answerApproval } from '../src/run/answer-approval.ts'
import { record } from '../src/run/record.ts'
import { resume } from '../src/run/resume.ts'
import { takeUp } from '../src/run/take-up.ts'
import { type AskingOptions, askingFor, openAsking, takeUpAsking } from './support/asking.ts'
import { callOf, pairingFault, plainTool, saying } from './support/bench.ts'

/*
 * Calls of one reply that wait for a person, together with others that do not, answered apart, in any order, elsewhere, or
 * under another policy.
 */

const toArg = { role: 'sink', type: { text: 40 }, free: true }
const ASKS = askingFor({ pay: { args: { to: toArg }, example: { to: 'bob' } } }).tools
const rule = (effect: string) => ({
  ...{ effects: [effect], args: { to: toArg }, runs: [{ args: { to: 'bob' } }], denies: [{ args: { to: 5 } }] },
})
const POLICY = { tools: { ...ASKS, look: { ...rule('read'), marks: [] } } }

/** The options of a run, and what its tools were made to do. */
function watched(more: Partial<AskingOptions> = {}) {
  const done: string[] = []
  const tool = (name: string, effect: 'read' | 'write') =>
    plainTool(name, effect, ({ to }: JsonObject) => {
      done.push(`${name} ${to}`)
      return `${name} ${to}: done`
    })
  const tools = [tool('pay', 'write'), tool('look', 'read')]
  const options: AskingOptions = { script: [], tools, policy: POLICY, ...more }
  return { done, options }
}

const APPROVE = { decision: 'approve', by: 'carol' } as const
const DENY = { decision: 'deny', by: 'carol', reason: 'No.' } as const
const pay = (to: string) => callOf('pay', { to }, `pay-${to}`)

// https://github.com/langchain-ai/langgraph/issues/6626
// https://github.com/langchain-ai/langgraph/issues/6533
// https://github.com/langchain-ai/langgraph/issues/6624
// https://github.com/vercel/ai/pull/14479
test('three calls of a reply wait each under its own id, and are answered one by one in any order', async () => {
  const { done, options } = watched({ script: [{ calls: [pay('a'), pay('b'), pay('c')] }, saying('Done.')] })
  const asking = await openAsking(options)
  await asking.go()
  const cards = await asking.all('call.parked')
  assert.deepEqual(
    cards.map(({ call, arguments: args }) => [call, args.to]),
    [
      ['pay-a', 'a'],
      ['pay-b', 'b'],
      ['pay-c', 'c'],
    ],
  )
  for (const [call, answer] of [
    ['pay-c', APPROVE],
    ['pay-a', DENY],
  ] as const) {
    await asking.answer(call, answer)
    assert.equal(await asking.go(), undefined)
    assert.deepEqual(done, [])
  }
  await asking.answer('pay-b', APPROVE)
  assert.equal((await asking.go())?.status, 'answered')
  assert.deepEqual(done, ['pay b', 'pay c'])
  const { messages } = asking.model.requests[1] ?? { messages: [] }
  assert.equal(pairingFault(messages), undefined)
  assert.deepEqual(
    messages.slice(-3).map(({ text }) => text),
    ['Not run. A person did not approve it. They said: No.', 'pay b: done', 'pay c: done'],
  )
})

// https://github.com/openai/openai-agents-python/issues/3004
// https://github.com/langchain-ai/langgraph/pull/3126
test('a call beside one that waits runs once, and after an approval in another process both results are there', async () => {
  const calls = [callOf('look', { to: 'x' }), pay('a'), callOf('look', { to: 'y' })]
  const { done, options } = watched({ script: [{ calls }, saying('Done.')] })
  const first = await openAsking(options)
  await first.go()
  await first.answer('pay-a', APPROVE)
  const second = await takeUpAsking(await first.events(), {
    ...options,
    script: [saying('Done.')],
    clock: first.clock,
  })
  assert.equal((await second.go())?.status, 'answered')
  assert.deepEqual(done, ['look x', 'pay a', 'look y'])
  const { messages } = second.model.requests[0] ?? { messages: [] }
  assert.deepEqual(
    messages.slice(-3).map(({ text }) => text),
    ['look x: done', 'pay a: done', 'look y: done'],
  )
})

// https://github.com/BuilderIO/agent-native/pull/3635
test('what was denied stays denied: not for who reads the run anew, and not for who has read it before', async () => {
  const { done, options } = watched({ script: [{ calls: [pay('a')] }, saying('Done.')] })
  const asking = await openAsking(options)
  await asking.go()
  const stale = takeUp('run-1', await asking.events(), asking.run.parts)
  await asking.answer('pay-a', DENY)
  const anew = await takeUpAsking(await asking.events(), options)
  await assert.rejects(() => anew.answer('pay-a', APPROVE), /does not wait/)
  const given = await answerApproval(stale, 'pay-a', { ...APPROVE, from: 'a tab that was left open' })
  await assert.rejects(record(stale, given), FenceError)
  await asking.go()
  assert.deepEqual(done, [])
})

// https://github.com/vercel/eve/issues/312
test('a claim to have done what was not approved is not accepted', async () => {
  const { done, options } = watched({
    script: [{ calls: [pay('a')] }, ...Array.from({ length: 4 }, (_, n) => saying(`I have paid a (${n}).`))],
    criteria: [called({ tool: 'pay' })],
  })
  const asking = await openAsking(options)
  await asking.go()
  await resume(asking.run, { reason: 'said', words: [{ kind: 'typed', text: 'Make it smaller first.' }], spec: {} })
  const outcome = await asking.go()
  assert.deepEqual([outcome?.status, outcome?.limit?.limit, done], ['failed', 'rejectedClaims', []])
  const [told] = asking.model.requests[1]?.messages.slice(-2) ?? []
  assert.match(told?.text ?? '', /^Not run/)
})

// https://github.com/stablyai/orca/issues/10886
test('a run that goes on under a stricter policy asks it about what the old one had let pass', async () => {
  const lax = { tools: { ...POLICY.tools, pay: rule('write') } }
  const { options } = watched({ script: [{ calls: [pay('a'), pay('b')] }, saying('Done.')], policy: lax })
  const first = await openAsking(options)
  await first.go()
  const events = await first.events()
  const cleared = events.findLastIndex(({ kind }) => kind === 'call.cleared') + 1
  const { done, options: strict } = watched({ clock: first.clock })
  const second = await takeUpAsking(events.slice(0, cleared), strict)
  await resume(second.run, { reason: 'test', spec: {} })
  assert.equal(await second.go(), undefined)
  assert.deepEqual(done, [])
  assert.equal((await second.all('call.parked')).length, 2)
  assert.equal(second.run.state.counts.toolCalls, 2)
})
