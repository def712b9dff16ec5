import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { finished, journalContract } from './journal.contract.ts'
import { sqliteError } from './journal-error.ts'
import { openSqliteJournal } from './sqlite.ts'
import { storedJournalContract } from './stored-journal.contract.ts'

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

storedJournalContract('SQLite journal', async () => {
  const path = await freshPath()
  return {
    open: async (options) => openSqliteJournal(path, { busyTimeout: 5_000, ...options }),
    rewrite: async (run, records, chain) => {
      const raw = openRaw(path)
      const { key } = raw.prepare('SELECT key FROM run WHERE name = ?').get(run) ?? {}
      raw.exec(`BEGIN; DELETE FROM event WHERE run = ${key}`)
      const insert = raw.prepare('INSERT INTO event (run, seq, at, fact, link) VALUES (?, ?, ?, ?, ?)')
      for (const { seq, at, fact, link } of records) insert.run(Number(key), seq, at ?? '', fact, link ?? null)
      if (chain !== undefined) raw.prepare('UPDATE run SET chain = ? WHERE key = ?').run(chain, Number(key))
      raw.exec('COMMIT')
      raw.close()
    },
  }
})

test('folder and files are for the owner alone', async () => {
  const path = await freshPath()
  const journal = openSqliteJournal(path)
  journal.append(finished('a', 0))
  await journal.flush('a', 'committed')
  assert.equal((await stat(join(path, '..'))).mode & 0o777, 0o700)
  for (const end of ['', '-wal', '-shm']) assert.equal((await stat(path + end)).mode & 0o777, 0o600, end)
  await journal.close()
})

test('events that nobody waits for are committed all the same, together', async () => {
  const path = await freshPath()
  const journal = openSqliteJournal(path)
  const raw = openRaw(path)
  const seen = () => raw.prepare('SELECT count(*) AS count FROM event').get()?.count
  journal.append(finished('a', 0))
  journal.append(finished('b', 0))
  assert.equal(seen(), 0)
  while (seen() === 0) await wait(1)
  assert.equal(seen(), 2)
  raw.close()
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

test('a place taken in the middle of a batch takes back what came before it', async () => {
  const path = await freshPath()
  const journal = openSqliteJournal(path)
  journal.append(finished('a', 0))
  await journal.flush('a', 'committed')
  changeRaw(path, 'INSERT INTO event SELECT run, 2, at, fact, link FROM event WHERE seq = 0')
  for (const seq of [1, 2, 3]) journal.append(finished('a', seq))
  await assert.rejects(journal.flush('a', 'committed'), /at event 2/)
  await assert.rejects(journal.read('a'), /Event 1 of run a .* is missing/)
  await journal.close()
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
