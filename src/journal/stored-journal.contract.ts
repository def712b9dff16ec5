import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventLine } from '../core/event.ts'
import { integrity } from './integrity.contract.ts'
import { ended, finished, started } from './journal.contract.ts'
import { FenceError } from './journal.ts'
import type { StoredJournal } from './stored-journal.ts'
import { KEY, problemOf, type StoredPlace, written } from './stored-place.contract.ts'

/** What every journal promises that outlives its process. `open` gives a fresh place each time. */
export function storedJournalContract(name: string, openPlace: () => Promise<StoredPlace>): void {
  describe(`${name}, two processes on one run`, () => fences(openPlace))
  describe(`${name}, changed behind its back`, () => integrity(openPlace))
  describe(`${name}, whole runs`, () => wholeRuns(openPlace))
}

function fences(openPlace: () => Promise<StoredPlace>): void {
  const openTwo = async (): Promise<readonly [StoredJournal, StoredJournal]> => {
    const place = await openPlace()
    return [await place.open(), await place.open()]
  }

  // https://github.com/openma-ai/deepseek-harness-acp/issues/17
  // https://github.com/can1357/oh-my-pi/issues/11496
  test('the later one is told, nothing of its batch is written, and other runs of the batch are kept', async () => {
    const [mine, theirs] = await openTwo()
    mine.append(finished('a', 0))
    await mine.flush('a', 'committed')
    theirs.append(finished('a', 1, 'theirs'))
    await theirs.flush('a', 'committed')

    for (const event of [finished('b', 0), finished('a', 1), finished('b', 1), finished('a', 2)]) mine.append(event)
    await assert.rejects(mine.flush('a', 'durable'), FenceError)
    await mine.flush('b', 'durable')
    assert.throws(() => mine.append(finished('a', 3)), FenceError)

    assert.deepEqual(await theirs.read('a'), [finished('a', 0), finished('a', 1, 'theirs')])
    assert.deepEqual(await theirs.read('b'), [finished('b', 0), finished('b', 1)])
    await mine.close()
    await theirs.close()
  })

  // https://github.com/nexu-io/open-design/issues/5490
  test('a run that both start belongs to the first', async () => {
    const [mine, theirs] = await openTwo()
    mine.append(finished('a', 0, 'mine'))
    await mine.flush('a', 'committed')
    theirs.append(finished('a', 0, 'theirs'))
    await assert.rejects(theirs.flush('a', 'committed'), /Run a was continued by another process at event 0/)
    assert.deepEqual(await mine.read('a'), [finished('a', 0, 'mine')])
    await mine.close()
    await theirs.close()
  })

  test('an event that leaves out one of those another process wrote is refused', async () => {
    const [mine, theirs] = await openTwo()
    theirs.append(finished('a', 0))
    await theirs.flush('a', 'committed')
    mine.append(finished('a', 2))
    await assert.rejects(mine.flush('a', 'committed'), /Run a goes on at event 1, but event 2 was appended/)
    assert.deepEqual(await theirs.read('a'), [finished('a', 0)])
    await assert.rejects(
      mine.close().then(() => mine.read('a')),
      /closed/,
    )
    await theirs.close()
  })

  test('whoever was told may go on once the run is read afresh, and the chain holds', async () => {
    const [mine, theirs] = await openTwo()
    mine.append(finished('a', 0))
    await mine.flush('a', 'committed')
    theirs.append(finished('a', 1, 'theirs'))
    await theirs.flush('a', 'committed')
    mine.append(finished('a', 1))
    await mine.read('a')
    assert.throws(() => mine.append(finished('a', 2)), FenceError, 'reading before being told changes nothing')
    await mine.read('a')
    mine.append(finished('a', 2))
    assert.equal((await mine.read('a')).length, 3)
    assert.equal(await problemOf(mine, 'a'), undefined)
    await mine.close()
    await theirs.close()
  })

  test('a run that ended here and went on elsewhere is fenced too', async () => {
    const [mine, theirs] = await openTwo()
    mine.append(ended('a', 0))
    await mine.flush('a', 'committed')
    theirs.append(finished('a', 1))
    await theirs.flush('a', 'committed')
    mine.append(finished('a', 1))
    await assert.rejects(mine.flush('a', 'committed'), FenceError)
    await mine.close()
    await theirs.close()
  })

  test('a run that was removed takes nothing more, and nothing of it comes into another run', async () => {
    const [mine, theirs] = await openTwo()
    mine.append(finished('a', 0))
    await mine.flush('a', 'committed')
    await theirs.remove(['a'])
    theirs.append(finished('b', 0, 'theirs'))
    await theirs.flush('b', 'committed')
    mine.append(finished('a', 1))
    await assert.rejects(mine.flush('a', 'committed'), FenceError)
    assert.deepEqual(await mine.read('a'), [])
    assert.deepEqual(await mine.read('b'), [finished('b', 0, 'theirs')])
    await mine.close()
    await theirs.close()
  })
}

function wholeRuns(openPlace: () => Promise<StoredPlace>): void {
  test('a run that is taken out and put in elsewhere is the same, sound, and marked', async () => {
    const { reader, b } = await written(openPlace)
    const records = await reader.records('b')
    assert.ok(records)
    const elsewhere = await (await openPlace()).open({ key: KEY })
    await elsewhere.insert(records)
    assert.deepEqual(await elsewhere.records('b'), records)
    assert.deepEqual((await elsewhere.read('b')).map(eventLine), (await reader.read('b')).map(eventLine))
    assert.deepEqual(await elsewhere.runs(), [{ ...(await reader.runs())[0], imported: true }])
    assert.equal(await problemOf(elsewhere, 'b', { key: KEY }), undefined)
    await assert.rejects(elsewhere.insert({ ...records, records: b.slice(0, 1) }), /There is a run b already/)
    assert.deepEqual(await elsewhere.records('b'), records)
    await elsewhere.close()
    await reader.close()
  })

  test('runs that are removed are gone, and others are not; their checkpoints count no more', async () => {
    const { place, reader, checkpoints } = await written(openPlace)
    const journal = await place.open({ key: KEY, checkpoints })
    await journal.remove(['a', 'nobody'])
    assert.equal(await journal.records('a'), undefined)
    assert.deepEqual(await journal.read('a'), [])
    assert.equal((await journal.read('b')).length, 4)
    assert.deepEqual(checkpoints.of('a'), [])
    journal.append(started('a', 0))
    await journal.flush('a', 'committed')
    assert.equal(await problemOf(journal, 'a', { key: KEY, checkpoints }), undefined)
    await journal.close()
    await reader.close()
  })
}
