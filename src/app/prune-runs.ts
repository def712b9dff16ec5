import { TaoError } from '../core/error.ts'
import type { RunListing } from '../journal/journal.ts'
import type { StoredContents, StoredJournal } from '../journal/stored-journal.ts'
import type { OpenedJournal } from './open-journal.ts'
import { findReferenced } from './referenced.ts'
import type { Settings } from './settings.ts'
import { bytesIn, type KeptCopy, listCopies, removeCopy } from './working-copies.ts'

/** Which runs are to go: those that all of it holds for. */
export interface PruneWish {
  /** Milliseconds since they ended, or since the last event of one that has no end. */
  readonly olderThan?: number
  /** Bytes of their events and their working copy. */
  readonly largerThan?: number
  /** Statuses of outcomes, `waiting` and `unfinished`. Without it, runs without an end stay. */
  readonly statuses?: readonly string[]
}

export interface PrunedRun {
  readonly run: string
  readonly status: string
  /** When it ended, or had its last event, in milliseconds since 1970. */
  readonly since: number
  readonly bytes: number
  /** Why it stays whatever is asked; undefined for one that goes. */
  readonly held?: string
  readonly copy?: KeptCopy
}

const DAY = 86_400_000

/** What a wish means, and what stands in its way. Nothing is removed. */
export async function planPrune(opened: OpenedJournal, settings: Settings, wish: PruneWish): Promise<PrunedRun[]> {
  if (Object.keys(wish).length === 0)
    throw new TaoError('usage', 'Nothing says which runs are to go.', {
      fix: 'Say it with --older-than 30d, --larger-than 100MB or --status failed,cancelled; together they must all hold.',
    })
  const copies = new Map((await listCopies(settings)).map((copy) => [copy.run, copy]))
  const { statuses } = wish
  const asked = (await opened.journal.runs()).filter((listing) =>
    statuses === undefined ? listing.end !== undefined : statuses.includes(statusOf(listing)),
  )
  const plans: PrunedRun[] = []
  for (const listing of asked) {
    const plan = await describe(opened.journal, listing, copies.get(listing.run))
    const isOld = wish.olderThan === undefined || plan.since <= Date.now() - wish.olderThan
    if (isOld && (wish.largerThan === undefined || plan.bytes > wish.largerThan)) plans.push(plan)
  }
  return plans
}

const statusOf = ({ end, waitingSince }: RunListing): string =>
  end?.status ?? (waitingSince === undefined ? 'unfinished' : 'waiting')

async function describe(journal: StoredJournal, listing: RunListing, copy: KeptCopy | undefined): Promise<PrunedRun> {
  const { run, at, end } = listing
  const { records = [] } = (await journal.records(run)) ?? {}
  const parsed = Date.parse(end?.at ?? records.at(-1)?.at ?? at)
  const since = Number.isNaN(parsed) ? Date.now() : parsed
  const ownBytes = records.reduce((sum, { fact }) => sum + Buffer.byteLength(fact), 0)
  const bytes = ownBytes + (copy === undefined ? 0 : await bytesIn(copy.place))
  const held =
    copy?.held ??
    (end === undefined && since > Date.now() - DAY
      ? 'it may still go on: its last event is less than a day old'
      : undefined)
  return { run, status: statusOf(listing), since, bytes, ...(held ? { held } : {}), ...(copy ? { copy } : {}) }
}

/** Removes runs, their working copies, and the results that nothing speaks of any more. Resolves to how many results went. */
export async function prune({ journal, store }: OpenedJournal, runs: readonly PrunedRun[]): Promise<number> {
  await journal.remove(runs.map(({ run }) => run))
  for (const { copy } of runs) if (copy !== undefined) await removeCopy(copy)
  return collectUnreferenced(journal, store)
}

/** A result is kept a moment before the event that speaks of it, so young ones stay. */
async function collectUnreferenced(journal: StoredJournal, store: StoredContents): Promise<number> {
  const before = Date.now() - DAY
  const old = (await store.list()).filter(({ putAt }) => putAt < before)
  const unreferenced = new Set(old.map(({ sha256 }) => sha256))
  for (const { run } of unreferenced.size === 0 ? [] : await journal.runs()) {
    const { records = [] } = (await journal.records(run)) ?? {}
    for (const name of await findReferenced(records, store, unreferenced)) unreferenced.delete(name)
  }
  let removed = 0
  for (const name of unreferenced) if (await store.remove(name, before)) removed += 1
  return removed
}
