import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Progress } from '../batch/progress.ts'
import { batchSummary, openBatchView, tableOf } from './batch-view.ts'

const PROGRESS: Progress = {
  ...{ total: 3_000, before: 1_000, running: 20, done: 500, failed: 3, waiting: 0, parked: 0 },
  ...{ tokens: 9_000, cost: 1.5, elapsed: 600_000 },
}

test('the table says how far it is, what it costs, how fast it goes and what is left at that rate', () => {
  assert.deepEqual(
    tableOf(PROGRESS).map((line) => line.split(/ {2,}/)),
    [
      ['done', 'running', 'failed', 'spend', 'rate', 'time left'],
      ['1,500 / 3,000', '20', '3', '$1.50', '50.0 / min', '30 min 00 s'],
    ],
  )
  const [, begun] = tableOf({ ...PROGRESS, done: 0, cost: undefined })
  assert.match(begun, /9,000 tokens .* …$/)
})

test('a pipe gets plain lines for all, a terminal those that need a look; silence is kept', () => {
  const written = (isTTY: boolean, quiet: boolean): string => {
    let text = ''
    using view = openBatchView({ isTTY, write: (piece) => (text += piece) }, { quiet })
    view.show(PROGRESS)
    view.log('fine', false)
    view.log('failed', true)
    return text
  }
  assert.equal(written(false, false), 'fine\nfailed\n')
  assert.equal(written(true, false), 'failed\n')
})

test('the end says where the records are, and how to go on when some are missing', () => {
  assert.match(
    batchSummary({ ...PROGRESS, parked: 20, stopped: 'cost' }, '/r'),
    /^1,500 of 3,000 rollouts have their record in \/r \(3 were not really tried, 20 were stopped on the way\)\. The limit --max-cost was reached\.\n\$1\.50 · 10 min 00 s\nThe other 1,500: the same command with --resume\.$/,
  )
  assert.equal(
    batchSummary({ ...PROGRESS, before: 0, total: 500, failed: 0 }, '/r'),
    '500 of 500 rollouts have their record in /r.\n$1.50 · 10 min 00 s',
  )
})
