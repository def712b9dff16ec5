import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { TaoError } from '../core/error.ts'
import { finished } from './journal.contract.ts'
import type { Journal } from './journal.ts'
import { openSqliteJournal } from './sqlite.ts'

const root = await mkdtemp(join(tmpdir(), 'tao-journal-file-'))
after(() => rm(root, { recursive: true }))
const freshPath = async (): Promise<string> => join(await mkdtemp(join(root, 'j-')), 'journal.db')

/** What another program, or a bad disk, does to the file. */
function changeRaw(path: string, sql: string): void {
  const raw = new DatabaseSync(path)
  raw.exec(sql)
  raw.close()
}

describe('files that are not ours to use', () => {
  const refuses = async (path: string, message: RegExp): Promise<void> => {
    const before = await readFile(path)
    assert.throws(
      () => openSqliteJournal(path),
      (error) => error instanceof TaoError && message.test(error.message) && error.fix !== undefined,
    )
    assert.deepEqual(await readFile(path), before)
  }

  test('a newer format is refused and left alone', async () => {
    const path = await freshPath()
    await openSqliteJournal(path).close()
    changeRaw(path, 'PRAGMA user_version = 7')
    await refuses(path, /has format 7; this version of Tao knows format 1/)
  })

  test('a file that is no database is refused and left alone', async () => {
    const path = join(root, 'notes.txt')
    await writeFile(path, 'Buy milk. '.repeat(200))
    await refuses(path, /is some other file, not a journal/)
  })

  test('a database of another program is refused and left alone', async () => {
    const path = join(root, 'other.db')
    changeRaw(path, 'CREATE TABLE cookie (name TEXT); PRAGMA user_version = 1')
    await refuses(path, /is a database of another program/)
  })

  test('a folder that cannot be made is an error', async () => {
    const file = join(root, 'in-the-way')
    await writeFile(file, '')
    assert.throws(() => openSqliteJournal(join(file, 'journal.db')), TaoError)
  })
})

describe('damage is told with run and sequence number', () => {
  const damaged = async (sql: string): Promise<Journal> => {
    const path = await freshPath()
    const journal = openSqliteJournal(path)
    for (const seq of [0, 1, 2]) journal.append(finished('a', seq))
    journal.append(finished('b', 0))
    await journal.close()
    changeRaw(path, sql)
    return openSqliteJournal(path)
  }
  const tearing = {
    'a cut text': 'UPDATE event SET fact = substr(fact, 1, 20) WHERE run = 1 AND seq = 1',
    // https://github.com/anthropics/claude-code/issues/49876
    'a run of zeros': 'UPDATE event SET fact = CAST(zeroblob(200) AS TEXT) WHERE run = 1 AND seq = 1',
    'JSON that is no event': "UPDATE event SET fact = '[1]' WHERE run = 1 AND seq = 1",
    'an event without a kind': "UPDATE event SET fact = '{}' WHERE run = 1 AND seq = 1",
    'no time': "UPDATE event SET at = x'00' WHERE run = 1 AND seq = 1",
    'a lost event': 'DELETE FROM event WHERE run = 1 AND seq = 1',
  }
  for (const [what, sql] of Object.entries(tearing))
    test(what, async () => {
      const journal = await damaged(sql)
      await assert.rejects(journal.read('a'), /Event 1 of run a in .* (is torn|is missing|has no time)/)
      assert.equal((await journal.read('b')).length, 1, 'other runs are not concerned')
      await journal.close()
    })

  test('a lost first event in the list of runs', async () => {
    const journal = await damaged('DELETE FROM event WHERE run = 1 AND seq = 0')
    await assert.rejects(journal.runs(), /Event 0 of run a in .* is missing/)
    await journal.close()
  })
})
