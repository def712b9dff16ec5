import { resolve } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import { FenceError, type Journal, type RunListing } from './journal.ts'
import { damagedError, gapError, sqliteError } from './journal-error.ts'
import { type SharedSync, sharedSync } from './shared-sync.ts'
import { openDatabase } from './sqlite-file.ts'
import { restoreEvent, type StoredEvent, storeTime } from './stored-event.ts'

export interface SqliteJournalOptions {
  /** Milliseconds to wait for another process that is writing. Default: 5,000. */
  readonly busyTimeout?: number
  /** Every commit waits until it is on disk, not only those flushed as `durable`. Default: false. */
  readonly everyCommitDurable?: boolean
}

/**
 * The journal in one SQLite file, made when it is not there. Any number of processes may have it open. Throws a
 * `TaoError` for a file that is not a journal, of a newer format, locked or not writable.
 */
export function openSqliteJournal(path: string, options: SqliteJournalOptions = {}): Journal {
  return new SqliteJournal(resolve(path), options)
}

/** What this process knows about the end of a run that it writes to. */
interface Tail {
  readonly run: string
  key?: number
  /** The sequence number that comes next; undefined until the first append. */
  next?: number
  ended: boolean
  /** Why nothing more of this run is taken. */
  failure?: TaoError
  failureTold: boolean
}

interface PendingEvent {
  readonly tail: Tail
  readonly seq: number
  readonly at: number | string
  readonly fact: string
}

class SqliteJournal implements Journal {
  readonly #path: string
  readonly #db: DatabaseSync
  readonly #sync: SharedSync
  readonly #tails = new Map<string, Tail>()
  readonly #sql: Readonly<Record<keyof typeof STATEMENTS, StatementSync>>
  #pending: PendingEvent[] = []
  #scheduled: Promise<void> | undefined
  #closed: Promise<void> | undefined

  constructor(path: string, options: SqliteJournalOptions) {
    const { busyTimeout = 5_000, everyCommitDurable = false } = options
    this.#path = path
    this.#db = openDatabase(path, { busyTimeout, everyCommitDurable })
    this.#sql = prepareAll(this.#db)
    this.#sync = sharedSync(everyCommitDurable ? undefined : `${path}-wal`)
  }

  append(event: Event): void {
    this.#requireOpen()
    const { run, seq, at, ...fact } = event
    const tail = this.#tailOf(run)
    throwFailure(tail)
    if (tail.next !== undefined && seq < tail.next) throw new FenceError(run, seq)
    if (tail.next !== undefined && seq > tail.next) throw gapError(run, tail.next, seq)
    this.#pending.push({ tail, seq, at: storeTime(at), fact: JSON.stringify(fact) })
    tail.next = seq + 1
    tail.ended = event.kind === 'run.ended'
    this.#schedule()
  }

  async flush(run: string, how: 'committed' | 'durable'): Promise<void> {
    this.#requireOpen()
    const tail = this.#tails.get(run)
    await this.#scheduled
    if (tail !== undefined) throwFailure(tail)
    if (how === 'durable') await this.#makeDurable(tail)
  }

  async read(run: string): Promise<readonly Event[]> {
    this.#requireOpen()
    this.#commit()
    this.#forgetToldFailure(run)
    return this.#query<StoredEvent>('readRun', run).map((row, index) => {
      if (row.seq !== index) throw damagedError(run, index, this.#path, 'is missing')
      return restoreEvent(row, run, this.#path)
    })
  }

  async runs(): Promise<readonly RunListing[]> {
    this.#requireOpen()
    this.#commit()
    const ends = Map.groupBy(this.#query<StoredEvent & { readonly name: string }>('readEnds'), (row) => row.name)
    return [...ends].map(([run, rows]) => {
      const [first, last] = [rows[0], rows.at(-1)]
      if (first === undefined || last === undefined || first.seq !== 0)
        throw damagedError(run, 0, this.#path, 'is missing')
      return { run, first: restoreEvent(first, run, this.#path), last: restoreEvent(last, run, this.#path) }
    })
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#commit()
    await this.#sync.close()
    this.#db.close()
    for (const tail of this.#tails.values()) if (!tail.failureTold) throwFailure(tail)
  }

  #requireOpen(): void {
    if (this.#closed !== undefined) throw new TaoError('journal', `The journal ${this.#path} is closed.`)
  }

  #tailOf(run: string): Tail {
    const known = this.#tails.get(run)
    if (known !== undefined) return known
    const tail: Tail = { run, ended: false, failureTold: false }
    this.#tails.set(run, tail)
    return tail
  }

  /** Whoever was told has stopped; whoever reads the run afresh may go on from what stands there. */
  #forgetToldFailure(run: string): void {
    if (this.#tails.get(run)?.failureTold) this.#tails.delete(run)
  }

  /** What comes in the same turn of the event loop, from all runs, is one transaction. */
  #schedule(): void {
    this.#scheduled ??= new Promise((done) => {
      setImmediate(() => {
        this.#commit()
        done()
      })
    })
  }

  /** Never throws: a failure is kept with each run that it concerns. */
  #commit(): void {
    this.#scheduled = undefined
    const batch = this.#pending
    if (batch.length === 0) return
    this.#pending = []
    try {
      this.#sql.begin.run()
      for (const event of batch) this.#write(event, batch)
      this.#sql.commit.run()
    } catch (error) {
      this.#giveUp(batch, sqliteError(error, this.#path))
    }
    for (const { tail } of batch) if (tail.ended && tail.failure === undefined) this.#tails.delete(tail.run)
  }

  #giveUp(batch: readonly PendingEvent[], failure: TaoError): void {
    for (const { tail } of batch) tail.failure ??= failure
    try {
      if (this.#db.isTransaction) this.#sql.rollback.run()
    } catch {
      // The disk that failed the transaction fails this too. SQLite undoes it when the file is opened again.
    }
  }

  #write(event: PendingEvent, batch: readonly PendingEvent[]): void {
    const { tail, seq } = event
    if (tail.key === undefined && tail.failure === undefined) this.#find(tail, seq)
    if (tail.failure !== undefined || tail.key === undefined) return
    if (this.#sql.insert.run(tail.key, seq, event.at, event.fact).changes !== 0) return
    tail.failure = new FenceError(tail.run, seq)
    const first = batch.find((other) => other.tail === tail)?.seq ?? seq
    this.#sql.remove.run(tail.key, first, seq)
  }

  /** Finds or makes the run, and sees to it that its events follow each other. */
  #find(tail: Tail, seq: number): void {
    const found = this.#sql.findRun.get(tail.run)
    const next = Number(found?.next ?? 0)
    if (seq > next) tail.failure = gapError(tail.run, next, seq)
    else tail.key = Number(found?.key ?? this.#sql.addRun.run(tail.run).lastInsertRowid)
  }

  async #makeDurable(tail: Tail | undefined): Promise<void> {
    try {
      await this.#sync.run()
    } catch (error) {
      const failure = sqliteError(error, this.#path)
      if (tail === undefined) throw failure
      tail.failure ??= failure
      throwFailure(tail)
    }
  }

  #query<Row>(statement: 'readRun' | 'readEnds', ...parameters: string[]): Row[] {
    try {
      return this.#sql[statement].all(...parameters) as Row[]
    } catch (error) {
      throw sqliteError(error, this.#path)
    }
  }
}

function throwFailure(tail: Tail): void {
  if (tail.failure === undefined) return
  tail.failureTold = true
  throw tail.failure
}

const STATEMENTS = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  findRun: 'SELECT key, (SELECT max(seq) + 1 FROM event WHERE run = key) AS next FROM run WHERE name = ?',
  addRun: 'INSERT INTO run (name) VALUES (?)',
  insert: 'INSERT OR IGNORE INTO event VALUES (?, ?, ?, ?)',
  remove: 'DELETE FROM event WHERE run = ? AND seq >= ? AND seq < ?',
  readRun: `SELECT seq, at, fact FROM run JOIN event ON event.run = key WHERE name = ? ORDER BY seq`,
  readEnds: `SELECT name, seq, at, fact FROM run JOIN event ON event.run = key
    WHERE seq IN ((SELECT min(seq) FROM event WHERE run = key), (SELECT max(seq) FROM event WHERE run = key))
    ORDER BY key DESC, seq`,
} as const

function prepareAll(db: DatabaseSync): Record<keyof typeof STATEMENTS, StatementSync> {
  const entries = Object.entries(STATEMENTS).map(([name, sql]) => [name, db.prepare(sql)])
  return Object.fromEntries(entries) as Record<keyof typeof STATEMENTS, StatementSync>
}
