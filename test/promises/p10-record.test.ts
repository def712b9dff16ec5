import assert from 'node:assert/strict'
import { test } from 'node:test'
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

/** The same run, as a process would have it that has only the journal. */
function withJournalOnly({ run, events }: Trace): Run {
  const [first] = events
  if (first?.kind !== 'run.started') throw new Error('A journal starts with run.started.')
  return { ...run, state: emptyState(), head: first.head, body: run.parts.model.openBody(first.head), sent: [] }
}
