import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { finished, journalContract } from './journal.contract.ts'
import { FenceError, type Journal } from './journal.ts'
import { sqliteError } from './journal-error.ts'
import { openSqliteJournal } from './sqlite.ts'

const root = await mkdtemp(join(tmpdir(), 'tao-journal-'))
after(() => rm(root, { recursive: true }))
const freshPath = async (): Promise<string> => join(await mkdtemp(join(root, 'j-')), 'made', 'journal.db')
/** Another program that has the file open. */
const openRaw = (path: string): DatabaseSync => new DatabaseSync(path)

function changeRaw(path: string, sql: string): void {
  const raw = openRaw(path)
  raw.exec(sql)
  raw.close()
}

journalContract('SQLite journal', async () => openSqliteJournal(await freshPath()))
journalContract('SQLite journal, every commit on disk', async () =>
  openSqliteJournal(await freshPath(), { everyCommitDurable: true }),
)

test('folder and files are for the owner alone', async () => {
  const path = await freshPath()
  const journal = openSqliteJournal(path)
  journal.append(finished('a', 0))
  await journal.flush('a', 'committed')
  assert.equal((await stat(join(path, '..'))).mode & 0o777, 0o700)
  for (const end of ['', '-wal', '-shm']) assert.equal((await stat(path + end)).mode & 0o777, 0o600, end)
  await journal.close()
})

test('a journal that is opened again has all that was appended, and times that are not ours as they came', async () => {
  const path = await freshPath()
  const before = openSqliteJournal(path)
  const odd = { ...finished('a', 1), at: '2026-11-30T08:00:00+01:00' }
  before.append(finished('a', 0))
  before.append(odd)
  await before.close()
  const journal = openSqliteJournal(path)
  assert.deepEqual(await journal.read('a'), [finished('a', 0), odd])
  journal.append(finished('a', 2))
  assert.equal((await journal.read('a')).length, 3)
  await journal.close()
})

describe('two processes on one run', () => {
  const openTwo = async (): Promise<readonly [Journal, Journal]> => {
    const path = await freshPath()
    return [openSqliteJournal(path), openSqliteJournal(path)]
  }

  // https://github.com/openma-ai/deepseek-harness-acp/issues/17
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
    theirs.append(finished('a', 0, 'theirs'))
    await mine.flush('a', 'committed')
    await assert.rejects(theirs.flush('a', 'committed'), /Run a was continued by another process at event 0/)
    assert.deepEqual(await mine.read('a'), [finished('a', 0, 'mine')])
    await mine.close()
    await theirs.close()
  })

  test('a place taken in the middle of a batch takes back what came before it', async () => {
    const path = await freshPath()
    const journal = openSqliteJournal(path)
    journal.append(finished('a', 0))
    await journal.flush('a', 'committed')
    changeRaw(path, 'INSERT INTO event SELECT run, 2, at, fact FROM event WHERE seq = 0')
    for (const seq of [1, 2, 3]) journal.append(finished('a', seq))
    await assert.rejects(journal.flush('a', 'committed'), /at event 2/)
    await assert.rejects(journal.read('a'), /Event 1 of run a .* is missing/)
    await journal.close()
  })

  test('an event that leaves out one of those another process wrote is refused', async () => {
    const [mine, theirs] = await openTwo()
    theirs.append(finished('a', 0))
    await theirs.flush('a', 'committed')
    mine.append(finished('a', 2))
    await assert.rejects(mine.flush('a', 'committed'), /Run a goes on at event 1, but event 2 was appended/)
    assert.deepEqual(await theirs.read('a'), [finished('a', 0)])
    await mine.close()
    await theirs.close()
  })

  test('whoever was told may go on once the run is read afresh, but not before', async () => {
    const [mine, theirs] = await openTwo()
    theirs.append(finished('a', 0, 'theirs'))
    await theirs.flush('a', 'committed')
    mine.append(finished('a', 0))
    await mine.read('a')
    assert.throws(() => mine.append(finished('a', 1)), FenceError, 'reading before being told changes nothing')
    assert.throws(() => mine.append(finished('a', 1)), FenceError)
    await mine.read('a')
    mine.append(finished('a', 1))
    assert.equal((await mine.read('a')).length, 2)
    await mine.close()
    await theirs.close()
  })

  test('a run that ended here and went on elsewhere is fenced too', async () => {
    const [mine, theirs] = await openTwo()
    const ended = { ...finished('a', 0), kind: 'run.ended' } as unknown as ReturnType<typeof finished>
    mine.append(ended)
    await mine.flush('a', 'committed')
    theirs.append(finished('a', 1))
    await theirs.flush('a', 'committed')
    mine.append(finished('a', 1))
    await assert.rejects(mine.flush('a', 'committed'), FenceError)
    await mine.close()
    await theirs.close()
  })
})

test('a locked journal is waited for and then named, at the flush and at the next append', async () => {
  const path = await freshPath()
  const journal = openSqliteJournal(path, { busyTimeout: 10 })
  const raw = openRaw(path)
  raw.exec('BEGIN IMMEDIATE')
  journal.append(finished('a', 0))
  await assert.rejects(journal.flush('a', 'committed'), /is locked by another process/)
  assert.throws(() => journal.append(finished('a', 1)), /is locked by another process/)
  raw.exec('ROLLBACK')
  assert.deepEqual(await journal.read('a'), [])
  journal.append(finished('a', 0))
  await journal.flush('a', 'committed')
  raw.close()
  await journal.close()
})

test('whoever finds the journal just being made waits for it', async () => {
  const path = join(root, 'being-made.db')
  const raw = openRaw(path)
  raw.exec('BEGIN IMMEDIATE')
  const start = performance.now()
  assert.throws(() => openSqliteJournal(path, { busyTimeout: 40 }), /is locked by another process/)
  assert.ok(performance.now() - start >= 40)
  raw.exec('ROLLBACK')
  raw.close()
  await openSqliteJournal(path).close()
})

test('closing tells of a failure that nobody has been told of', async () => {
  const path = await freshPath()
  const journal = openSqliteJournal(path, { busyTimeout: 1 })
  const raw = openRaw(path)
  raw.exec('BEGIN IMMEDIATE')
  journal.append(finished('a', 0))
  await assert.rejects(journal.close(), /is locked by another process/)
  raw.close()
})

test('a full disk is called one', () => {
  const raw = openRaw(':memory:')
  raw.exec('CREATE TABLE t (x); PRAGMA max_page_count = 3')
  assert.throws(
    () => raw.exec('INSERT INTO t VALUES (zeroblob(100000))'),
    (error) => {
      const { message, fix } = sqliteError(error, 'journal.db')
      assert.match(message, /the disk is full/)
      assert.match(fix ?? '', /tao resume/)
      return true
    },
  )
})
