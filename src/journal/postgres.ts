import type { Pool } from 'pg'
import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import { type Chain, openChain } from './chain.ts'
import type { RunListing } from './journal.ts'
import { tornNotice } from './journal-error.ts'
import { appendBatch, type PendingEvent } from './postgres-append.ts'
import { placeOf, postgresError } from './postgres-error.ts'
import { followRun } from './postgres-follow.ts'
import { openPool } from './postgres-pool.ts'
import { insertRun, listRuns, readLinks, readRecords, readRun, removeRuns, setTornAside } from './postgres-runs.ts'
import { postgresStore } from './postgres-store.ts'
import { setUpTables } from './postgres-tables.ts'
import { factText, restoreEvents } from './stored-event.ts'
import type { CheckpointLog, RunRecords, StoredContents, StoredJournal } from './stored-journal.ts'
import { advanceTail, newTail, type Tail, throwFailure } from './tail.ts'

export interface PostgresJournalOptions {
  /** Chains new runs so that only who has it can change them unseen. Default: a chain that shows breaks and no more. */
  readonly key?: string | Uint8Array
  /** Told how far each run has come, before each effect and at its end. Closed with the journal. */
  readonly checkpoints?: CheckpointLog
  /** Told in a sentence when a torn event was set aside. Default: a warning of the process. */
  readonly onNotice?: (notice: string) => void
}

export interface PostgresJournal extends StoredJournal {
  /** Keeps large results in the same database. */
  readonly store: StoredContents
  /** Events of a run from a number on, each soon after it was committed, until the run's end or the signal. */
  follow(run: string, options: { readonly from: number; readonly signal: AbortSignal }): AsyncIterable<Event>
}

/**
 * The journal in a PostgreSQL database, for many machines. Tables are made when they are not there. Needs the package
 * `pg`. Rejects with a `TaoError` when the database cannot be used.
 */
export async function openPostgresJournal(
  address: string,
  options: PostgresJournalOptions = {},
): Promise<PostgresJournal> {
  const place = placeOf(address)
  const pool = await openPool(address)
  try {
    await setUpTables(pool, place)
  } catch (error) {
    await pool.end()
    throw postgresError(error, place)
  }
  return new PostgresJournalOf({ address, pool, place }, options)
}

/** What is written together. */
interface Batch {
  readonly events: PendingEvent[]
  /** Never rejects: a failure is kept with each run that it concerns. */
  readonly done: Promise<void>
  readonly resolve: () => void
}

class PostgresJournalOf implements PostgresJournal {
  readonly store: StoredContents
  readonly #address: string
  readonly #pool: Pool
  readonly #place: string
  readonly #chain: Chain
  readonly #checkpoints: CheckpointLog | undefined
  readonly #notify: (notice: string) => void
  readonly #tails = new Map<string, Tail>()
  /** Collects what is appended while the batch before it is on its way. */
  #open: Batch | undefined
  #latest: Promise<void> = Promise.resolve()
  #isWriting = false
  #checkpointFailure: unknown
  #closed: Promise<void> | undefined

  constructor(
    { address, pool, place }: { address: string; pool: Pool; place: string },
    options: PostgresJournalOptions,
  ) {
    this.#address = address
    this.#pool = pool
    this.#place = place
    this.#chain = openChain(options.key)
    this.#checkpoints = options.checkpoints
    this.#notify = options.onNotice ?? ((notice) => process.emitWarning(notice))
    this.store = postgresStore(pool, place)
  }

  append(event: Event): void {
    this.#requireOpen()
    const tail = this.#tailOf(event.run)
    advanceTail(tail, event)
    this.#batch().events.push({ tail, event, fact: factText(event) })
  }

  /** What PostgreSQL has committed is on its disk, so both ways are the same. */
  async flush(run: string): Promise<void> {
    this.#requireOpen()
    const tail = this.#tails.get(run)
    await this.#latest
    if (tail === undefined) return
    throwFailure(tail)
    try {
      this.#confirm(tail)
    } catch (error) {
      tail.failure = postgresError(error, this.#place)
      throwFailure(tail)
    }
  }

  async read(run: string): Promise<readonly Event[]> {
    await this.#settle()
    if (this.#tails.get(run)?.failureTold) this.#tails.delete(run)
    return this.#use(async () => restoreEvents(await this.#soundRecords(run), { run, place: this.#place }))
  }

  runs(): Promise<readonly RunListing[]> {
    return this.#use(() => listRuns(this.#pool))
  }

  records(run: string): Promise<RunRecords | undefined> {
    return this.#use(() => readRun(this.#pool, run))
  }

  links(): Promise<readonly string[]> {
    return this.#use(() => readLinks(this.#pool))
  }

  insert(records: RunRecords): Promise<void> {
    return this.#use(() => insertRun(this.#pool, records, this.#place))
  }

  async remove(runs: readonly string[]): Promise<void> {
    await this.#use(() => removeRuns(this.#pool, runs))
    for (const run of runs) this.#checkpoints?.addRemoval(run)
  }

  follow(run: string, { from, signal }: { readonly from: number; readonly signal: AbortSignal }): AsyncIterable<Event> {
    this.#requireOpen()
    return followRun({ address: this.#address, place: this.#place, run, from, signal })
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await this.#latest
    const tails = [...this.#tails.values()]
    for (const tail of tails) if (tail.failure === undefined) this.#tryConfirm(tail)
    this.#checkpoints?.close()
    await this.#pool.end()
    for (const tail of tails) if (!tail.failureTold) throwFailure(tail)
    if (this.#checkpointFailure !== undefined) throw this.#checkpointFailure
  }

  #requireOpen(): void {
    if (this.#closed !== undefined) throw new TaoError('journal', `The journal ${this.#place} is closed.`)
  }

  async #settle(): Promise<void> {
    this.#requireOpen()
    await this.#latest
  }

  /** Everything that was appended is written before anything is looked at. */
  async #use<T>(work: () => Promise<T>): Promise<T> {
    await this.#settle()
    try {
      return await work()
    } catch (error) {
      throw postgresError(error, this.#place)
    }
  }

  #tailOf(run: string): Tail {
    const known = this.#tails.get(run)
    if (known !== undefined) return known
    const tail = newTail(run)
    this.#tails.set(run, tail)
    return tail
  }

  async #soundRecords(run: string): Promise<RunRecords['records']> {
    const records = await readRecords(this.#pool, run)
    const checkpoints = this.#checkpoints?.of(run) ?? []
    const torn = await setTornAside(this.#pool, { run, records, checkpoints })
    if (torn === undefined) return records
    this.#tails.delete(run)
    this.#notify(tornNotice(run, torn.seq, this.#place))
    return records.slice(0, -1)
  }

  #batch(): Batch {
    if (this.#open !== undefined) return this.#open
    const { promise: done, resolve } = Promise.withResolvers<void>()
    this.#open = { events: [], done, resolve }
    this.#latest = done
    if (!this.#isWriting) void this.#write()
    return this.#open
  }

  /** One batch after the other; each takes all that was appended meanwhile. */
  async #write(): Promise<void> {
    this.#isWriting = true
    await new Promise((turn) => setImmediate(turn))
    for (let batch = this.#open; batch !== undefined; batch = this.#open) {
      this.#open = undefined
      await appendBatch({ pool: this.#pool, place: this.#place, chain: this.#chain }, batch.events)
      this.#letEndedGo(batch.events)
      batch.resolve()
    }
    this.#isWriting = false
  }

  /** A run that has ended is forgotten. */
  #letEndedGo(events: readonly PendingEvent[]): void {
    for (const { tail } of events) {
      if (tail.failure !== undefined || !tail.ended) continue
      this.#tails.delete(tail.run)
      this.#tryConfirm(tail)
    }
  }

  #confirm(tail: Tail): void {
    const { run, kept, chain, confirmed } = tail
    if (this.#checkpoints === undefined || chain === undefined || kept === undefined || kept.count <= confirmed) return
    this.#checkpoints.add({ run, ...kept })
    tail.confirmed = kept.count
  }

  /** Told when the journal is closed. */
  #tryConfirm(tail: Tail): void {
    try {
      this.#confirm(tail)
    } catch (error) {
      this.#checkpointFailure ??= error
    }
  }
}
