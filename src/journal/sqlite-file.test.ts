import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { TaoError } from '../core/error.ts'
import { openChain } from './chain.ts'
import { finished } from './journal.contract.ts'
import { openSqliteJournal } from './sqlite.ts'
import type { StoredJournal } from './stored-journal.ts'
import { findProblem } from './verify.ts'

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
    await refuses(path, /has format 7; this version of Tao knows format 2/)
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
  const damaged = async (sql: string): Promise<StoredJournal> => {
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
  // https://github.com/yerzhansa/enduragent/pull/190
  for (const [what, sql] of Object.entries(tearing))
    test(what, async () => {
      const journal = await damaged(sql)
      await assert.rejects(journal.read('a'), /Event 1 of run a in .* (is torn|is missing|has no time)/)
      assert.equal((await journal.read('b')).length, 1, 'other runs are not concerned')
      await journal.remove(['a'])
      assert.deepEqual(
        (await journal.runs()).map(({ run }) => run),
        ['b'],
        'a damaged run can be removed',
      )
      await journal.close()
    })

  test('a lost first event hides no run in the list', async () => {
    const journal = await damaged('DELETE FROM event WHERE run = 1 AND seq = 0')
    assert.deepEqual(
      (await journal.runs()).map(({ run }) => run),
      ['b', 'a'],
    )
    await assert.rejects(journal.read('a'), /Event 0 of run a in .* is missing/)
    await journal.close()
  })
})

/** Journals that earlier versions wrote, one for each format; they stay as they are. */
describe('older journals', () => {
  const openCopy = async (name: string): Promise<StoredJournal> => {
    const path = await freshPath()
    await copyFile(new URL(`../../test/data/journals/${name}`, import.meta.url), path)
    return openSqliteJournal(path, { key: 'a key that is long enough' })
  }

  test('of format 1 are listed, read, continued without a chain, and get new runs with one', async () => {
    const journal = await openCopy('format-1.sqlite')
    const runs = await journal.runs()
    assert.deepEqual(
      runs.map(({ run, task, end }) => [run, task, end?.status]),
      [
        ['20261130-104500-0badcafe', 'Which is the capital of France?', undefined],
        ['20261130-104422-666719af', 'Which is the capital of France?', 'answered'],
        ['20261130-104419-443b2069', 'Write b.txt.', 'success'],
      ],
    )
    assert.deepEqual(
      [runs[1]?.at, runs[1]?.model, runs[1]?.end?.at],
      ['2026-11-30T10:44:22.185Z', 'scripted/s2.json', '2026-11-30T10:44:22.239Z'],
    )
    assert.equal((await journal.read('20261130-104422-666719af')).at(-1)?.kind, 'run.ended')
    journal.append(finished('20261130-104500-0badcafe', 2))
    journal.append(finished('new', 0))
    assert.equal((await journal.read('20261130-104500-0badcafe')).length, 3)
    assert.equal((await journal.records('20261130-104500-0badcafe'))?.chain, undefined)
    assert.match((await journal.records('new'))?.chain ?? '', /^hmac-sha256:/)
    await journal.close()
  })

  test('of format 2 are sound under the key they were written with', async () => {
    const journal = await openCopy('format-2.sqlite')
    for (const { run } of await journal.runs()) {
      const records = await journal.records(run)
      assert.ok(records !== undefined && records.records.length > 0)
      const chain = openChain('a key that is long enough')
      assert.equal(
        await findProblem(records, { chain, checkpoints: [], linksElsewhere: () => journal.links() }),
        undefined,
      )
    }
    await journal.close()
  })
})
