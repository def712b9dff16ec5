import type { Client, Pool } from 'pg'
import { TaoError } from '../core/error.ts'
import type { RunListing } from './journal.ts'
import { clashError } from './journal-error.ts'
import { describeEnd, describeStart, listEnd, type Standing } from './listing.ts'
import { isFenced } from './postgres-error.ts'
import { writeRows } from './postgres-tables.ts'
import { isTorn, restoreEvents } from './stored-event.ts'
import type { Checkpoint, EventRecord, RunRecords } from './stored-journal.ts'

/* Whole runs in a journal's tables: listed, read, put in, taken out. All of these reject with PostgreSQL's error. */

interface ListRow {
  readonly name: string
  readonly at: string
  readonly task: string | null
  readonly model: string | null
  readonly status: string | null
  readonly ended: string | null
  readonly imported: boolean
}

export async function listRuns(pool: Pool): Promise<RunListing[]> {
  const { rows } = await pool.query<ListRow>(
    'SELECT name, at, task, model, status, ended, imported FROM tao_run ORDER BY place DESC',
  )
  return rows.map(({ name, at, task, model, status, ended, imported }) => ({
    run: name,
    at,
    ...(task === null ? {} : { task }),
    ...(model === null ? {} : { model }),
    ...(status === null ? {} : listEnd({ at: ended ?? '', status: status as Standing['status'] })),
    ...(imported ? { imported: true as const } : {}),
  }))
}

export async function readRecords(pool: Pool | Client, run: string, from = 0): Promise<EventRecord[]> {
  const { rows } = await pool.query<{ seq: number; at: string; fact: string; link: string | null }>(
    'SELECT seq, at, fact, link FROM tao_event WHERE run = $1 AND seq >= $2 ORDER BY seq',
    [run, from],
  )
  return rows.map(({ seq, at, fact, link }) => ({ seq, at, fact, ...(link === null ? {} : { link }) }))
}

export async function readRun(pool: Pool, run: string): Promise<RunRecords | undefined> {
  const { rows } = await pool.query<{ chain: string | null }>('SELECT chain FROM tao_run WHERE name = $1', [run])
  const [found] = rows
  if (found === undefined) return undefined
  return { run, records: await readRecords(pool, run), ...(found.chain === null ? {} : { chain: found.chain }) }
}

export async function readLinks(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ link: string }>('SELECT link FROM tao_event WHERE link IS NOT NULL')
  return rows.map(({ link }) => link)
}

/**
 * Takes a half-written last event out of a run and keeps it aside, so that the run can go on where it stood before. One
 * that a checkpoint has seen whole was not torn by a crash, and stays.
 */
export async function setTornAside(
  pool: Pool,
  { run, records, checkpoints }: RunRecords & { readonly checkpoints: readonly Checkpoint[] },
): Promise<EventRecord | undefined> {
  const last = records.at(-1)
  if (last === undefined || !isTorn(last) || checkpoints.some(({ count }) => count > last.seq)) return undefined
  await pool.query(
    `WITH gone AS (DELETE FROM tao_event WHERE run = $1 AND seq = $2 RETURNING run, seq, at, fact, link)
      INSERT INTO tao_torn SELECT * FROM gone`,
    [run, last.seq],
  )
  return last
}

export async function insertRun(pool: Pool, { run, chain, records }: RunRecords, place: string): Promise<void> {
  const events = restoreEvents(records, { run, place })
  const [first, last] = [events[0], events.at(-1)]
  if (first === undefined || last === undefined) throw new TaoError('journal', `Run ${run} has no events.`)
  const end = describeEnd(last)
  const ending = { status: end?.status ?? null, ended: end?.at ?? null }
  try {
    await writeRows(pool, {
      added: [{ ...describeStart(first), chain: chain ?? null, ...ending, imported: true }],
      ends: [],
      events: records.map(({ seq, at = '', fact, link }) => ({ run, seq, at, fact, link: link ?? null })),
    })
  } catch (error) {
    throw isFenced(error) ? clashError(run) : error
  }
}

export async function removeRuns(pool: Pool, runs: readonly string[]): Promise<void> {
  // One statement is one transaction; what it removes of the one table is gone before the other one is checked.
  await pool.query(
    `WITH events AS (DELETE FROM tao_event WHERE run = ANY ($1)) DELETE FROM tao_run WHERE name = ANY ($1)`,
    [runs],
  )
}
