import { TaoError } from '../core/error.ts'
import type { RunListing } from './journal.ts'
import { clashError } from './journal-error.ts'
import { describeEnd, describeStart, listEnd, type Standing } from './listing.ts'
import type { Statements } from './sqlite-statements.ts'
import { isTorn, restoreEvents, restoreTime, storeTime } from './stored-event.ts'
import type { Checkpoint, EventRecord, RunRecords } from './stored-journal.ts'

/*
 * Whole runs in a journal's tables: listed, read, put in, taken out. Appending is in sqlite.ts. All of these throw what
 * SQLite throws.
 */

interface ListRow {
  readonly name: string
  readonly at: unknown
  readonly task: string | null
  readonly model: string | null
  readonly status: string | null
  readonly ended: unknown
  readonly imported: number
}

export const listRuns = (sql: Statements): RunListing[] =>
  (sql.listRuns.all() as unknown as ListRow[]).map(({ name, at, task, model, status, ended, imported }) => ({
    run: name,
    at: restoreTime(at) ?? '',
    ...(task === null ? {} : { task }),
    ...(model === null ? {} : { model }),
    ...(status === null ? {} : listEnd({ at: restoreTime(ended) ?? '', status: status as Standing['status'] })),
    ...(imported === 0 ? {} : { imported: true as const }),
  }))

/** Row by row: a list of all rows of a long run would take longer to make than the events. */
export function* readFacts(sql: Statements, run: string): Generator<EventRecord> {
  const rows = sql.readFacts.iterate(run) as unknown as Iterable<EventRecord & { readonly at: unknown }>
  for (const { seq, at: stored, fact } of rows) {
    const at = restoreTime(stored)
    yield at === undefined ? { seq, fact } : { seq, at, fact }
  }
}

function readRecords(sql: Statements, run: string): EventRecord[] {
  const rows = sql.readRun.all(run) as unknown as (EventRecord & {
    readonly at: unknown
    readonly link: string | null
  })[]
  return rows.map(({ seq, at: stored, fact, link }) => {
    const at = restoreTime(stored)
    return { seq, fact, ...(at === undefined ? {} : { at }), ...(link === null ? {} : { link }) }
  })
}

export function readRun(sql: Statements, run: string): RunRecords | undefined {
  const found = sql.readChain.get(run)
  if (found === undefined) return undefined
  const { chain } = found
  return { run, records: readRecords(sql, run), ...(typeof chain === 'string' ? { chain } : {}) }
}

/**
 * Takes a half-written last event out of a run and keeps it aside, so that the run can go on where it stood before. One
 * that a checkpoint has seen whole was not torn by a crash, and stays.
 */
export function setTornAside(
  sql: Statements,
  run: string,
  checkpoints: readonly Checkpoint[],
): EventRecord | undefined {
  const last = readRecords(sql, run).at(-1)
  if (last === undefined || !isTorn(last) || checkpoints.some(({ count }) => count > last.seq)) return undefined
  inTransaction(sql, () => {
    sql.keepTorn.run(run, new Date().toISOString())
    sql.removeLast.run(run)
  })
  return last
}

/** Throws a `TaoError` for a run whose name is taken; then nothing is changed. */
export function insertRun(sql: Statements, { run, chain, records }: RunRecords, place: string): void {
  const events = restoreEvents(records, { run, place })
  const [first, last] = [events[0], events.at(-1)]
  if (first === undefined || last === undefined) throw new TaoError('journal', `Run ${run} has no events.`)
  const { at, task, model } = describeStart(first)
  const end = describeEnd(last)
  inTransaction(sql, () => {
    if (sql.findRun.get(run) !== undefined) throw clashError(run)
    const added = sql.addRun.run(run, chain ?? null, storeTime(at), task ?? null, model ?? null)
    const key = Number(added.lastInsertRowid)
    sql.setImported.run(key)
    if (end !== undefined) sql.setEnd.run(end.status, storeTime(end.at), key)
    for (const { seq, at: time = '', fact, link } of records)
      sql.insert.run(seq, storeTime(time), fact, link ?? null, key, run)
  })
}

export function removeRuns(sql: Statements, runs: readonly string[]): void {
  inTransaction(sql, () => {
    for (const run of runs) {
      sql.removeEvents.run(run)
      sql.removeRun.run(run)
    }
  })
}

function inTransaction(sql: Statements, work: () => void): void {
  sql.begin.run()
  try {
    work()
    sql.commit.run()
  } catch (error) {
    sql.rollback.run()
    throw error
  }
}
