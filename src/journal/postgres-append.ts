import type { Pool } from 'pg'
import type { Event } from '../core/event.ts'
import type { Chain } from './chain.ts'
import { FenceError } from './journal.ts'
import { describeEnd, describeStart } from './listing.ts'
import { isFenced, postgresError } from './postgres-error.ts'
import { type AddedRun, type ChangedEnd, type WrittenEvent, writeRows } from './postgres-tables.ts'
import { type FoundRun, joinChain, nextLink, type Tail } from './tail.ts'

export interface PendingEvent {
  readonly tail: Tail
  readonly event: Event
  readonly fact: string
}

interface Database {
  readonly pool: Pool
  readonly place: string
  /** For new runs. */
  readonly chain: Chain
}

/** What a batch has for one run. */
interface Part {
  readonly tail: Tail
  readonly added: readonly AddedRun[]
  readonly ends: readonly ChangedEnd[]
  readonly events: readonly WrittenEvent[]
}

/** Writes what was appended to any number of runs. Never rejects: what goes wrong is kept with each run that it concerns. */
export async function appendBatch(database: Database, batch: readonly PendingEvent[]): Promise<void> {
  const runs = [...Map.groupBy(batch, ({ tail }) => tail)].filter(([tail]) => tail.failure === undefined)
  try {
    await joinChains(database, runs)
    const parts = runs.filter(([tail]) => tail.failure === undefined).map(([tail, events]) => partFor(tail, events))
    await writeParts(database, parts)
  } catch (error) {
    for (const [tail] of runs) tail.failure ??= postgresError(error, database.place)
  }
}

/** One round trip for all. Only when a run of them is fenced, each goes by itself, so that it alone is stopped. */
async function writeParts(database: Database, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return
  try {
    await writeRows(database.pool, {
      added: parts.flatMap(({ added }) => added),
      ends: parts.flatMap(({ ends }) => ends),
      events: parts.flatMap(({ events }) => events),
    })
    for (const part of parts) noteKept(part)
  } catch (error) {
    const [only] = parts
    if (!isFenced(error) || only === undefined) throw error
    if (parts.length === 1) only.tail.failure = new FenceError(only.tail.run, only.events[0]?.seq ?? 0)
    else for (const part of parts) await writeParts(database, [part])
  }
}

function noteKept({ tail, events }: Part): void {
  const last = events.at(-1)
  if (last !== undefined) tail.kept = { count: last.seq + 1, head: last.link ?? '' }
}

type PendingRun = readonly [Tail, readonly PendingEvent[]]

/** A run that begins needs no look at the database; one that goes on here for the first time does. */
async function joinChains({ pool, chain: ours }: Database, runs: readonly PendingRun[]): Promise<void> {
  const firsts = runs.filter(([tail]) => tail.kept === undefined)
  const names = firsts.filter(([, [first]]) => first?.event.seq !== 0).map(([{ run }]) => run)
  const found = names.length === 0 ? new Map<string, FoundRun>() : await findRuns(pool, names)
  for (const [tail, [first]] of firsts) joinChain(tail, found.get(tail.run), { seq: first?.event.seq ?? 0, ours })
}

async function findRuns(pool: Pool, names: readonly string[]): Promise<Map<string, FoundRun>> {
  const { rows } = await pool.query<FoundRun & { run: string }>(
    `SELECT name AS run, chain, status, last.seq + 1 AS next, link AS head
      FROM tao_run, LATERAL (SELECT seq, link FROM tao_event WHERE run = name ORDER BY seq DESC LIMIT 1) AS last
      WHERE name = ANY ($1)`,
    [names],
  )
  return new Map(rows.map((row) => [row.run, row]))
}

function partFor(tail: Tail, pending: readonly PendingEvent[]): Part {
  const events = pending.map(({ event: { run, seq, at }, fact }) => ({
    run,
    seq,
    at,
    fact,
    link: nextLink(tail, at, fact),
  }))
  const [first, last] = [pending[0]?.event, pending.at(-1)?.event]
  const end = last && describeEnd(last)
  const changed = { run: tail.run, status: end?.status ?? null, at: end?.at ?? null }
  const isEndNews = end !== undefined || tail.endKept
  tail.endKept = end !== undefined
  if (first === undefined || first.seq !== 0) return { tail, added: [], ends: isEndNews ? [changed] : [], events }
  const run = { ...describeStart(first), chain: tail.chain?.name ?? null, imported: false }
  return { tail, added: [{ ...run, status: changed.status, ended: changed.at }], ends: [], events }
}
