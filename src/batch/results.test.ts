import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type RolloutName, recordOfFailure } from './record.ts'
import { openResults, type ResultsPlace } from './results.ts'

const WHOLE = { number: 1, of: 1 }

function makePlace(over: Partial<ResultsPlace> = {}): ResultsPlace & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'tao-results-'))
  const dispose = () => rmSync(folder, { recursive: true })
  return { folder, rollouts: 1, shard: WHOLE, compat: false, ...over, [Symbol.dispose]: dispose }
}

const named = (id: string, digest = 'd'): RolloutName => ({
  row: { id, digest, where: 'line 1', index: 0, problem: 'it is no object' },
  rollout: 1,
})

const record = (id: string) => recordOfFailure(named(id), 'Broken.')

test('a record is there when it was added, also for the next process', async () => {
  using place = makePlace()
  const first = await openResults(place, 'new')
  first.add(record('a'))
  first.began(named('b'), 'run-b')
  first.close()
  const second = await openResults(place, 'resume')
  assert.deepEqual([second.has(named('a')), second.has(named('b'))], [true, false])
  assert.deepEqual([second.runOf(named('a')), second.runOf(named('b'))], [undefined, 'run-b'])
  second.close()
})

// https://github.com/miclaldogan/bantzv2/issues/511
test('a line that was cut off while it was written is no record, and leaves no trace', async () => {
  using place = makePlace()
  const path = join(place.folder, 'rollout-1.jsonl')
  const whole = `${JSON.stringify(record('a'))}\n`
  for (const cut of [1, Math.floor(whole.length / 2), whole.length - 1]) {
    writeFileSync(path, whole + whole.replace('"a"', '"b"').slice(0, cut))
    const results = await openResults(place, 'resume')
    assert.deepEqual([results.has(named('a')), results.has(named('b'))], [true, false])
    results.close()
    assert.equal(readFileSync(path, 'utf8'), whole)
  }
})

// https://github.com/tetsuo-ai/agenc-core/issues/2081
test('what is no record is not taken for one', async () => {
  using place = makePlace()
  for (const text of ['{}\n', 'null\n', '{"id":"a"}\n', 'half a line}\n']) {
    writeFileSync(join(place.folder, 'rollout-1.jsonl'), text)
    await assert.rejects(openResults(place, 'resume'), { code: 'results' })
  }
})

test('results are not mixed with others: without --resume they are refused, and so is a row that was changed', async () => {
  using place = makePlace()
  const first = await openResults(place, 'new')
  first.add(record('a'))
  first.close()
  await assert.rejects(openResults(place, 'new'), { code: 'results', fix: /--resume/ })
  const second = await openResults(place, 'resume')
  assert.throws(() => second.has(named('a', 'another')), { code: 'results', message: /row a .* not what it was/ })
  second.close()
})

test('one process writes them at a time; a lock whose process is gone holds nobody', async () => {
  using place = makePlace()
  const first = await openResults(place, 'new')
  await assert.rejects(openResults(place, 'resume'), { code: 'results', message: /Another process/ })
  first.close()
  writeFileSync(join(place.folder, 'lock.json'), '{"pid":4194304,"startTime":"1"}')
  const second = await openResults(place, 'resume')
  second.close()
})

test('files are named by rollout and part, or as evaluations of the original look for them', async () => {
  for (const [over, names] of [
    [{ rollouts: 2 }, ['rollout-1.jsonl', 'rollout-2.jsonl', 'runs.jsonl']],
    [{ shard: { number: 2, of: 3 } }, ['rollout-1-part-2-of-3.jsonl', 'runs-part-2-of-3.jsonl']],
    [{ rollouts: 3, compat: true }, ['iter1.jsonl', 'iter2.jsonl', 'iter3.jsonl', 'runs.jsonl']],
    [{ shard: { number: 2, of: 3 }, compat: true }, ['iter1_split2of3.jsonl', 'runs-part-2-of-3.jsonl']],
  ] as const) {
    using place = makePlace(over)
    const results = await openResults(place, 'new')
    results.close()
    assert.deepEqual(readdirSync(place.folder).sort(), names)
  }
})

test('asked to, what has an error is taken out and begun anew; everything else stays as it was', async () => {
  using place = makePlace()
  const first = await openResults(place, 'new')
  const { error: _, ...fine } = record('fine')
  for (const id of ['a', 'fine']) first.began(named(id), `run-${id}`)
  first.add(record('a'))
  first.add(fine)
  first.close()
  for (const mode of ['retry', 'resume'] as const) {
    const results = await openResults(place, mode)
    assert.deepEqual([results.has(named('a')), results.has(named('fine'))], [false, true])
    assert.deepEqual([results.runOf(named('a')), results.runOf(named('fine'))], [undefined, 'run-fine'])
    results.close()
  }
  assert.equal(readFileSync(join(place.folder, 'rollout-1.jsonl'), 'utf8'), `${JSON.stringify(fine)}\n`)
})
