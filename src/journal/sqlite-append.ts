import type { Event } from '../core/event.ts'
import type { Chain } from './chain.ts'
import { FenceError } from './journal.ts'
import { describeEnd, describeStart } from './listing.ts'
import type { Statements } from './sqlite-statements.ts'
import { storeTime } from './stored-event.ts'
import { type FoundRun, joinChain, nextLink, type Tail } from './tail.ts'

export interface SqliteTail extends Tail {
  /** Of the run in its table, once it was looked up. */
  key?: number
}

export interface PendingEvent {
  readonly tail: SqliteTail
  readonly event: Event
  readonly fact: string
}

interface Tables {
  readonly sql: Statements
  /** For new runs. */
  readonly chain: Chain
}

/** Inside the caller's transaction. Throws what SQLite throws; that a run cannot be continued is kept with its tail. */
export function writeEvent(tables: Tables, { tail, event, fact }: PendingEvent, batch: readonly PendingEvent[]): void {
  const { sql } = tables
  if (tail.key === undefined && tail.failure === undefined) findTail(tables, tail, event)
  if (tail.failure !== undefined || tail.key === undefined) return
  const at = storeTime(event.at)
  const link = nextLink(tail, event.at, fact)
  const { changes } = sql.insert.run(event.seq, at, fact, link, tail.key, tail.run)
  if (changes === 0) {
    fence(sql, { tail, event, fact }, batch)
    return
  }
  const end = describeEnd(event)
  if (end !== undefined || tail.endKept) sql.setEnd.run(end?.status ?? null, end === undefined ? null : at, tail.key)
  tail.endKept = end !== undefined
}

/** Finds or makes the run, and sees to it that its events and its links follow each other. */
function findTail({ sql, chain: ours }: Tables, tail: SqliteTail, event: Event): void {
  const found = sql.findRun.get(event.run) as unknown as (FoundRun & { readonly key: number }) | undefined
  joinChain(tail, found, { seq: event.seq, ours })
  if (tail.failure === undefined) tail.key = Number(found?.key ?? addRun(sql, event, ours))
}

function addRun(sql: Statements, first: Event, chain: Chain): number | bigint {
  const { run, at, task, model } = describeStart(first)
  return sql.addRun.run(run, chain.name, storeTime(at), task ?? null, model ?? null).lastInsertRowid
}

/** Takes back what this batch has written of the run before the place that was taken. */
function fence(sql: Statements, { tail, event }: PendingEvent, batch: readonly PendingEvent[]): void {
  tail.failure = new FenceError(tail.run, event.seq)
  const first = batch.find((other) => other.tail === tail)?.event.seq ?? event.seq
  sql.takeBack.run(tail.key ?? 0, first, event.seq)
}
