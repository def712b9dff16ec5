import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import { type Chain, openChain } from './chain.ts'
import type { RunListing } from './journal.ts'
import { sqliteError, tornNotice } from './journal-error.ts'
import { type SharedSync, sharedSync } from './shared-sync.ts'
import { type PendingEvent, type SqliteTail, writeEvent } from './sqlite-append.ts'
import { openDatabase } from './sqlite-file.ts'
import { insertRun, listRuns, readFacts, readRun, removeRuns, setTornAside } from './sqlite-runs.ts'
import { prepareStatements, type Statements } from './sqlite-statements.ts'
import { factText, restoreEvents } from './stored-event.ts'
import type { CheckpointLog, RunRecords, StoredJournal } from './stored-journal.ts'
import { advanceTail, newTail, throwFailure } from './tail.ts'

export interface SqliteJournalOptions {
  /** Milliseconds to wait for another process that is writing. Default: 5,000. */
  readonly busyTimeout?: number
  /** Every commit waits until it is on disk, not only those flushed as `durable`. Default: false. */
  readonly everyCommitDurable?: boolean
  /** Chains new runs so that only who has it can change them unseen. Default: a chain that shows breaks and no more. */
  readonly key?: string | Uint8Array
  /** Told how far each run has come, before each effect and at its end. Closed with the journal. */
  readonly checkpoints?: CheckpointLog
  /** Told in a sentence when a torn event was set aside. Default: a warning of the process. */
  readonly onNotice?: (notice: string) => void
}

/**
 * The journal in one SQLite file, made when it is not there. Any number of processes may have it open. Throws a
 * `TaoError` for a file that is not a journal, of a newer format, locked or not writable.
 */
export function openSqliteJournal(path: string, options: SqliteJournalOptions = {}): StoredJournal {
  return new SqliteJournal(resolve(path), options)
}

/** Events that nobody waits for are committed after so many milliseconds, with whatever came meanwhile. */
const SOON_MS = 5

class SqliteJournal implements StoredJournal {
  readonly #path: string
  readonly #db: DatabaseSync
  readonly #sync: SharedSync
  readonly #chain: Chain
  readonly #checkpoints: CheckpointLog | undefined
  readonly #notify: (notice: string) => void
  readonly #tails = new Map<string, SqliteTail>()
  readonly #endings = new Set<Promise<void>>()
  readonly #sql: Statements
  #pending: PendingEvent[] = []
  #soon: NodeJS.Timeout | undefined
  #next: Promise<void> | undefined
  #closed: Promise<void> | undefined

  constructor(path: string, options: SqliteJournalOptions) {
    const { busyTimeout = 5_000, everyCommitDurable = false } = options
    this.#path = path
    this.#chain = openChain(options.key)
    this.#checkpoints = options.checkpoints
    this.#notify = options.onNotice ?? ((notice) => process.emitWarning(notice))
    this.#db = openDatabase(path, { busyTimeout, everyCommitDurable })
    this.#sql = prepareStatements(this.#db)
    this.#sync = sharedSync(everyCommitDurable ? undefined : `${path}-wal`)
  }

  append(event: Event): void {
    this.#requireOpen()
    const tail = this.#tailOf(event.run)
    advanceTail(tail, event)
    this.#pending.push({ tail, event, fact: factText(event) })
    this.#soon ??= setTimeout(() => this.#commit(), SOON_MS)
  }

  async flush(run: string, how: 'committed' | 'durable'): Promise<void> {
    this.#requireOpen()
    const tail = this.#tails.get(run)
    if (this.#pending.length > 0) await this.#nextCommit()
    if (tail !== undefined) throwFailure(tail)
    if (how === 'durable') await this.#makeDurable(tail)
  }

  async read(run: string): Promise<readonly Event[]> {
    this.#forgetToldFailure(run)
    return this.#use(() => this.#readSound(run))
  }

  async runs(): Promise<readonly RunListing[]> {
    return this.#use(() => listRuns(this.#sql))
  }

  async records(run: string): Promise<RunRecords | undefined> {
    return this.#use(() => readRun(this.#sql, run))
  }

  async links(): Promise<readonly string[]> {
    return this.#use(() => this.#sql.readLinks.all().map(({ link }) => String(link)))
  }

  async insert(records: RunRecords): Promise<void> {
    this.#use(() => insertRun(this.#sql, records, this.#path))
  }

  async remove(runs: readonly string[]): Promise<void> {
    this.#use(() => removeRuns(this.#sql, runs))
    for (const run of runs) this.#checkpoints?.addRemoval(run)
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#commit()
    const open = this.#checkpoints === undefined ? [] : [...this.#tails.values()].filter(({ failure }) => !failure)
    const results = await Promise.allSettled([...this.#endings, ...open.map((tail) => this.#confirm(tail))])
    this.#checkpoints?.close()
    await this.#sync.close()
    this.#db.close()
    for (const tail of this.#tails.values()) if (!tail.failureTold) throwFailure(tail)
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }

  #requireOpen(): void {
    if (this.#closed !== undefined) throw new TaoError('journal', `The journal ${this.#path} is closed.`)
  }

  #tailOf(run: string): SqliteTail {
    const known = this.#tails.get(run)
    if (known !== undefined) return known
    const tail = newTail(run)
    this.#tails.set(run, tail)
    return tail
  }

  /** Whoever was told has stopped; whoever reads the run afresh may go on from what stands there. */
  #forgetToldFailure(run: string): void {
    if (this.#closed === undefined) this.#commit()
    if (this.#tails.get(run)?.failureTold) this.#tails.delete(run)
  }

  #readSound(run: string): Event[] {
    const read = (): Event[] => restoreEvents(readFacts(this.#sql, run), { run, place: this.#path })
    try {
      return read()
    } catch (error) {
      const torn = setTornAside(this.#sql, run, this.#checkpoints?.of(run) ?? [])
      if (torn === undefined) throw error
      this.#tails.delete(run)
      this.#notify(tornNotice(run, torn.seq, this.#path))
      return read()
    }
  }

  /** Of all that comes in the same turn of the event loop, from all runs. */
  #nextCommit(): Promise<void> {
    this.#next ??= new Promise((done) => {
      setImmediate(() => {
        this.#commit()
        done()
      })
    })
    return this.#next
  }

  /** Never throws: a failure is kept with each run that it concerns. */
  #commit(): void {
    const batch = this.#pending
    clearTimeout(this.#soon)
    this.#soon = this.#next = undefined
    if (batch.length === 0) return
    this.#pending = []
    try {
      this.#sql.begin.run()
      for (const pending of batch) writeEvent({ sql: this.#sql, chain: this.#chain }, pending, batch)
      this.#sql.commit.run()
    } catch (error) {
      this.#giveUp(batch, sqliteError(error, this.#path))
    }
    for (const { tail, event } of batch) {
      if (tail.failure === undefined) tail.kept = { count: event.seq + 1, head: tail.head }
    }
    for (const { tail } of batch) if (tail.ended && tail.failure === undefined) this.#letGo(tail)
  }

  #giveUp(batch: readonly PendingEvent[], failure: TaoError): void {
    for (const { tail } of batch) tail.failure ??= failure
    try {
      if (this.#db.isTransaction) this.#sql.rollback.run()
    } catch {
      // The disk that failed the transaction fails this too. SQLite undoes it when the file is opened again.
    }
  }

  /** A run that has ended is forgotten; its last checkpoint is written when that is true of the disk too. */
  #letGo(tail: SqliteTail): void {
    this.#tails.delete(tail.run)
    if (this.#checkpoints === undefined) return
    const ending = this.#confirm(tail)
    this.#endings.add(ending)
    ending.then(() => this.#endings.delete(ending)).catch(() => undefined) // told when the journal is closed
  }

  /** A checkpoint never says more than what a loss of power leaves. */
  async #confirm(tail: SqliteTail): Promise<void> {
    const { run, kept, chain } = tail
    await this.#sync.run()
    if (this.#checkpoints === undefined || chain === undefined) return
    if (kept === undefined || kept.count <= tail.confirmed) return
    this.#checkpoints.add({ run, ...kept })
    tail.confirmed = kept.count
  }

  async #makeDurable(tail: SqliteTail | undefined): Promise<void> {
    try {
      await (tail === undefined ? this.#sync.run() : this.#confirm(tail))
    } catch (error) {
      const failure = sqliteError(error, this.#path)
      if (tail === undefined) throw failure
      tail.failure ??= failure
      throwFailure(tail)
    }
  }

  /** Everything that was appended is written before anything is looked at. */
  #use<T>(work: () => T): T {
    this.#requireOpen()
    this.#commit()
    try {
      return work()
    } catch (error) {
      throw sqliteError(error, this.#path)
    }
  }
}
