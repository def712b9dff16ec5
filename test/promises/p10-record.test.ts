import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventLine } from '../../src/core/event.ts'
import { memoryStore } from '../../src/journal/memory-store.ts'
import { buildRequest } from '../../src/run/ask.ts'
import { evolve } from '../../src/run/evolve.ts'
import { nextMove } from '../../src/run/next.ts'
import type { Run } from '../../src/run/run.ts'
import { emptyState } from '../../src/run/state.ts'
import { calling, callOf, plainTool, runScript, saying, type Trace } from '../support/bench.ts'

const look = plainTool('look', 'read', () => 'seen')
const change = plainTool('change', 'write', () => ({ text: 'changed', files: ['f'] }))
const always = { name: 'always', check: async () => ({ holds: true, detail: 'ok' }) }

const richRun = () =>
  runScript({
    script: [
      { text: 'Hm.', calls: [callOf('look'), callOf('change'), callOf('look', '{')], reasoning: 'r' },
      { text: 'cut', finish: 'length' },
      ...Array.from({ length: 3 }, () => calling('look', { again: 1 })),
      saying('done'),
    ],
    tools: [look, change],
    criteria: [always],
  })

test('the fold of the journal is the state of the run', async () => {
  const trace = await richRun()
  const state = emptyState()
  for (const event of trace.events) evolve(state, event)
  assert.deepEqual(state, trace.run.state)
})

test('the journal alone gives every request again, byte for byte', async () => {
  const trace = await richRun()
  const again = withJournalOnly(trace)
  for (const event of trace.events) {
    if (event.kind === 'request.sent') {
      const move = nextMove(again.state)
      assert.equal(move.do, 'ask')
      const request = buildRequest(again, move.do === 'ask' ? move.toolChoice : 'none')
      assert.equal(request.sha256, event.sha256)
    }
    evolve(again.state, event)
  }
})

const bytesOf = ({ events }: Trace): number => events.reduce((sum, event) => sum + eventLine(event).length, 0)

// https://github.com/anthropics/claude-code/issues/18905
// https://github.com/earendil-works/pi/issues/7452
test('no event repeats what another one says: four times the steps are four times the bytes', async () => {
  const tell = plainTool('tell', 'read', ({ n }) => `${n}: ${'word '.repeat(400)}`)
  const ofSteps = (steps: number) =>
    runScript({ script: (n) => (n < steps ? calling('tell', { n }) : saying('done')), tools: [tell] })
  assert.ok(bytesOf(await ofSteps(40)) < 4.2 * bytesOf(await ofSteps(10)))
})

// https://github.com/anthropics/claude-code/issues/23373
test('a result, an error or a finding of any size is one small event; the whole of a result is kept beside', async () => {
  const huge = 'x'.repeat(5_000_000)
  const store = memoryStore()
  const trace = await runScript({
    script: [{ calls: [callOf('tell'), callOf('fail')] }, saying('Done.')],
    tools: [plainTool('tell', 'read', () => huge), plainTool('fail', 'read', () => Promise.reject(new Error(huge)))],
    criteria: [{ name: 'breaks', check: () => Promise.reject(new Error(huge)) }],
    limits: { rejectedClaims: 1 },
    store,
  })
  const [told] = trace.all('call.finished')
  assert.equal((await store.get(told?.whole ?? ''))?.length, huge.length)
  for (const event of trace.events) assert.ok(eventLine(event).length < 60_000, event.kind)
})

/** The same run, as a process would have it that has only the journal. */
function withJournalOnly({ run, events }: Trace): Run {
  const [first] = events
  if (first?.kind !== 'run.started') throw new Error('A journal starts with run.started.')
  return { ...run, state: emptyState(), head: first.head, body: run.parts.model.openBody(first.head), sent: [] }
}
