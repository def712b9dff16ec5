import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { ended, finished, journalContract } from './journal.contract.ts'
import { openPostgresJournal } from './postgres.ts'
import { storeContract } from './store.contract.ts'
import { storedJournalContract } from './stored-journal.contract.ts'
import type { EventRecord } from './stored-journal.ts'
import type { StoredPlace } from './stored-place.contract.ts'

const server = await startPostgres()
after(() => server[Symbol.asyncDispose]())

const quote = (text: string | null | undefined): string =>
  text === null || text === undefined ? 'NULL' : `'${text.replaceAll("'", "''")}'`

const rowOf = (run: string, { seq, at, fact, link }: EventRecord): string =>
  `(${quote(run)}, ${seq}, ${quote(at)}, ${quote(fact)}, ${quote(link)})`

async function openPlace(): Promise<StoredPlace> {
  const address = await server.freshAddress()
  return {
    open: (options) => openPostgresJournal(address, options),
    rewrite: async (run, records, chain) => {
      const rows = records.map((record) => rowOf(run, record)).join()
      await server.query(
        address,
        `DELETE FROM tao_event WHERE run = ${quote(run)};
        ${rows === '' ? '' : `INSERT INTO tao_event (run, seq, at, fact, link) VALUES ${rows};`}
        ${chain === undefined ? '' : `UPDATE tao_run SET chain = ${quote(chain)} WHERE name = ${quote(run)}`}`,
      )
    },
  }
}

const openJournal = async () => openPostgresJournal(await server.freshAddress())

journalContract('PostgreSQL journal', openJournal, 10)
storedJournalContract('PostgreSQL journal', openPlace)

const storing = await openPostgresJournal(await server.freshAddress())
after(() => storing.close())
storeContract('PostgreSQL store', async () => storing.store)

test('a text that was put again is not removed as an old one', async () => {
  const sha256 = await storing.store.put('wanted')
  const [before] = (await storing.store.list()).filter((each) => each.sha256 === sha256)
  assert.equal(await storing.store.remove(sha256, (before?.putAt ?? 0) - 1), false)
  assert.equal(await storing.store.get(sha256), 'wanted')
  assert.equal(await storing.store.remove(sha256, Date.now() + 60_000), true)
  assert.equal(await storing.store.get(sha256), undefined)
})

describe('followers', () => {
  test('are told of each event as it is committed, and end with the run', { timeout: 20_000 }, async () => {
    const address = await server.freshAddress()
    const [writer, reader] = [await openPostgresJournal(address), await openPostgresJournal(address)]
    writer.append(finished('a', 0))
    writer.append(finished('a', 1))
    await writer.flush('a', 'committed')
    const seen: number[] = []
    for await (const { seq } of reader.follow('a', { from: 1, signal: new AbortController().signal })) {
      seen.push(seq)
      if (seq < 4) writer.append(seq === 3 ? ended('a', 4) : finished('a', seq + 1))
    }
    assert.deepEqual(seen, [1, 2, 3, 4])
    await writer.close()
    await reader.close()
  })

  test('end with their signal', async () => {
    const journal = await openJournal()
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 30)
    for await (const _ of journal.follow('nobody', { from: 0, signal: stop.signal })) assert.fail('there are none')
    await journal.close()
  })
})

test('a database that is not there, and one of a newer version, are refused with a sentence and without the password', async () => {
  const address = await server.freshAddress()
  const missing = address.replace('/postgres?', '/nothing?').replace('tao@', 'tao:secret@')
  await assert.rejects(openPostgresJournal(missing), (error: Error & { fix?: string }) => {
    assert.match(error.message, /The journal postgres:\/\/localhost\/nothing is not there/)
    assert.doesNotMatch(error.message + error.fix, /secret/)
    return true
  })
  await (await openPostgresJournal(address)).close()
  await server.query(address, 'UPDATE tao_layout SET version = 7')
  await assert.rejects(openPostgresJournal(address), /has format 7; this version of Tao knows format 1/)
})

test('a connection that breaks fails the runs it concerns, and the next one works', async () => {
  const address = await server.freshAddress()
  const journal = await openPostgresJournal(address)
  journal.append(finished('a', 0))
  await journal.flush('a', 'committed')
  await server.query(address, 'ALTER TABLE tao_event RENAME TO gone')
  journal.append(finished('a', 1))
  await assert.rejects(journal.flush('a', 'durable'), /The journal postgres:.* could not do what was asked/)
  await server.query(address, 'ALTER TABLE gone RENAME TO tao_event')
  await server.query(address, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tao'")
  assert.deepEqual(await journal.read('a'), [finished('a', 0)])
  journal.append(finished('a', 1))
  assert.equal((await journal.read('a')).length, 2)
  await journal.close()
})

test('events of many runs in one turn are one statement', async () => {
  const journal = await openJournal()
  for (let seq = 0; seq < 3; seq++) {
    for (let run = 0; run < 50; run++) journal.append(finished(`run-${run}`, seq))
    await journal.flush('run-0', 'committed')
  }
  assert.equal((await journal.runs()).length, 50)
  assert.equal((await journal.read('run-49')).length, 3)
  await journal.close()
})
