import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FactDeclaration } from '../../src/core/known-fact.ts'
import { fact } from '../../src/judge/fact.ts'
import { calling, callOf, pairingFault, plainTool, runScript, saying } from '../support/bench.ts'

const look = plainTool('look', 'read', ({ at }) => `total: ${at === 'b' ? 43 : 42}`)
const facts: readonly FactDeclaration[] = [{ name: 'total', from: [{ tool: 'look', pattern: '/total: (\\d+)/' }] }]
const isKnown = fact({ fact: 'total' })

test('a fact is confirmed by its observation, told to the model once, and carries the event that proves it', async () => {
  const script = [calling('look', { at: 'a' }), calling('look', { at: 'a' }), saying('It is 42.')]
  const trace = await runScript({ script, tools: [look], facts, criteria: [isKnown] })
  const [first, second] = trace.all('fact.confirmed')
  assert.match(first?.observation ?? '', /^Confirmed fact: total = "42" \(from look /)
  assert.equal(second?.observation, undefined)
  assert.deepEqual(
    trace.outcome.facts?.map(({ fact: name, value, from }) => [name, value, from]),
    [['total', '42', trace.events.findLast(({ kind }) => kind === 'call.finished')?.seq]],
  )
  assert.equal(trace.outcome.status, 'success')
})

test('facts of calls side by side stand behind all their answers, and the requests still extend each other', async () => {
  const script = [{ calls: [callOf('look', { at: 'a' }), callOf('look', { at: 'c' }), callOf('gone')] }, saying('42')]
  const { model } = await runScript({ script, tools: [look], facts, criteria: [isKnown] })
  const last = model.requests.at(-1)
  assert.equal(pairingFault(last?.messages ?? []), undefined)
  assert.match(last?.messages.at(-1)?.text ?? '', /^Confirmed fact/)
  const shared = Buffer.from(model.requests[0]?.bytes ?? '').subarray(0, last?.prefixBytes)
  assert.ok(shared.equals(Buffer.from(last?.bytes ?? '').subarray(0, last?.prefixBytes)))
})

test('two observations that disagree block success until they agree', async () => {
  let b = 43
  const moving = plainTool('look', 'read', ({ at }) => `total: ${at === 'b' ? b : 42}`)
  const script = (n: number) => {
    if (n === 3) b = 42
    return (
      [calling('look', { at: 'a' }), calling('look', { at: 'b' }), saying('42'), calling('look', { at: 'b' })][n] ??
      saying('42 it is')
    )
  }
  const trace = await runScript({ script, tools: [moving], facts })
  assert.match(
    trace.all('fact.conflict')[0]?.observation ?? '',
    /Observations disagree: total = "43".*but total = "42"/,
  )
  const [rejected] = trace.all('claim.rejected')
  assert.match(rejected?.observation ?? '', /the facts\nObservations disagree about total\./)
  assert.equal(trace.outcome.status, 'answered')
  assert.equal(trace.outcome.facts?.[0]?.value, '42')
})

test('with a template the answer is made from facts, whatever the model says', async () => {
  const script = [saying('It is 1000.'), calling('look'), saying('It is 1000!')]
  const answer = 'The total is {{total}}.'
  const trace = await runScript({ script, tools: [look], facts, answer, criteria: [isKnown] })
  assert.match(trace.all('claim.rejected')[0]?.observation ?? '', /The answer needs the fact total/)
  assert.equal(trace.outcome.answer, 'The total is 42.')
  assert.equal(trace.outcome.status, 'success')
})

test('a run that ends at a limit tells what is known and what is missing', async () => {
  const script = [calling('look'), saying('Done.'), saying('Done, really.')]
  const isMore = fact({ fact: 'more' })
  const trace = await runScript({ script, tools: [look], facts, criteria: [isMore], limits: { modelCalls: 3 } })
  assert.equal(trace.outcome.status, 'limit')
  assert.equal(trace.outcome.facts?.[0]?.value, '42')
  assert.match(trace.outcome.evidence[0]?.detail ?? '', /No observation has established more/)
})

test('the model’s own words are linked to the results that have them; an answer made from facts carries its facts', async () => {
  const script = [calling('look', { at: 'a' }), saying('I have looked. The total is 42.')]
  const trace = await runScript({ script, tools: [look] })
  const from = trace.events.findLast(({ kind }) => kind === 'call.finished')?.seq
  assert.deepEqual(trace.outcome.support, [{ sentence: 'The total is 42.', from: [from] }])
  const made = await runScript({ script, tools: [look], facts, answer: 'It is {{total}}.' })
  assert.deepEqual([made.outcome.support, made.outcome.facts?.[0]?.from], [undefined, from])
})
