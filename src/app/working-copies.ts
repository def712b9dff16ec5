import { execFile } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RunListing } from '../journal/journal.ts'
import { hasRecord } from '../sandbox/apply-record.ts'
import { isInUse } from '../sandbox/in-use.ts'
import { removeTree } from '../sandbox/remove-tree.ts'
import { homeAt } from './home.ts'
import type { Settings } from './settings.ts'
import { findRun, listRuns } from './stored-runs.ts'

/** A working copy in the state directory. */
export interface KeptCopy {
  readonly run: string
  readonly place: string
  /** When its run ended, in milliseconds since 1970; when it was made, where nothing says that. */
  readonly since: number
  /** Why it is not removed, whatever is asked; undefined when it may go. */
  readonly held?: string
  /** Its run has no end on record: it is removed only when it is named. */
  readonly unfinished: boolean
}

/** Newest first. */
export async function listCopies(settings: Settings): Promise<KeptCopy[]> {
  const { work } = homeAt(settings.home)
  const runs = new Map((await listRuns(settings)).map((summary) => [summary.run, summary]))
  return namesIn(work)
    .map((run) => describe(run, join(work, run), runs.get(run)))
    .sort((a, b) => b.since - a.since)
}

/** The copies that are meant by ids of runs, or beginnings of them. Throws a `TaoError` for what means none. */
export function chooseCopies(copies: readonly KeptCopy[], wanted: readonly string[]): KeptCopy[] {
  const runs = copies.map(({ run }) => run)
  const found = new Set(wanted.map((each) => findRun(runs, each)))
  return copies.filter(({ run }) => found.has(run))
}

/** Removes one with all that lies beside it. Resolves to the bytes that are free then. Rejects with a `TaoError`. */
export async function removeCopy({ place }: Pick<KeptCopy, 'place'>): Promise<number> {
  const bytes = await bytesIn(place)
  await removeTree(place)
  return bytes
}

/** Bytes on the disk. What cannot be counted counts as nothing. */
export function bytesIn(place: string): Promise<number> {
  return new Promise((resolve) => {
    execFile('/usr/bin/du', ['-sk', '--', place], { env: {}, timeout: 60_000 }, (_, stdout) =>
      resolve((Number.parseInt(stdout, 10) || 0) * 1024),
    )
  })
}

function namesIn(work: string): string[] {
  try {
    return readdirSync(work)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function describe(run: string, place: string, summary: RunListing | undefined): KeptCopy {
  const end = summary?.end
  const since = end === undefined ? statSync(place).mtimeMs : Date.parse(end.at)
  const held = whyHeld(place, end !== undefined)
  return { run, place, since, unfinished: summary !== undefined && end === undefined, ...(held ? { held } : {}) }
}

function whyHeld(place: string, ended: boolean): string | undefined {
  if (!ended && isInUse(place)) return 'the run is still going on'
  return hasRecord(place) ? 'an apply of it is going on or was cut off; finish it with: tao apply' : undefined
}
