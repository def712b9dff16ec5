import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { emptyState, type State } from '../run/state.ts'
import type { Row } from './item.ts'
import type { Results } from './results.ts'
import { runBatch } from './run-batch.ts'

const item = { question: 'What is 2 and 2?', answer: '4', files: [], fields: {} }
const rows: Row[] = ['a', 'b', 'c'].map((id, index) => ({ id, digest: id, where: `line ${index + 1}`, index, item }))

const results: Results = {
  ...{ has: () => false, runOf: () => undefined, began: () => undefined, add: () => undefined },
  ...{ close: () => undefined, spentBefore: 0 },
}

/** A rollout that nobody cancelled and that has not ended: it waits, so it has no record. */
const waiting: State = emptyState()

test('what begins together is begun one after the other: the first has asked before the last is prepared', async () => {
  const told: string[] = []
  const limits = {}
  const { waiting: waited } = await runBatch(
    { rows, rollouts: 1, concurrency: 3, limits },
    {
      results,
      finishing: new AbortController().signal,
      now: () => 0,
      async run({ row }) {
        told.push(`prepares ${row.id}`)
        for (let hop = 0; hop < 50; hop++) await undefined
        told.push(`asks ${row.id}`)
        while (told.length < 6) await nextTurn()
        return { run: row.id, state: waiting }
      },
    },
  )
  assert.equal(waited, 3)
  assert.deepEqual(told, ['prepares a', 'asks a', 'prepares b', 'asks b', 'prepares c', 'asks c'])
})
