import { existsSync } from 'node:fs'
import { TaoError } from '../core/error.ts'
import type { Event, RunStarted } from '../core/event.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import { openSqliteJournal } from '../journal/sqlite.ts'
import { openWorkspace } from '../sandbox/working-copy.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import { homeAt } from './home.ts'

/** A run as a list shows it. */
export interface RunSummary {
  readonly run: string
  /** ISO 8601. */
  readonly at: string
  readonly task: string
  readonly model: string
  /** Undefined while the run goes on, and when its process was ended from outside. */
  readonly outcome?: Outcome
}

/** A run read back from the journal. */
export interface StoredRun {
  readonly run: string
  readonly started: RunStarted
  readonly events: readonly Event[]
  readonly outcome?: Outcome
}

/** Newest first. A state directory without a journal has none, and none is made. */
export async function listRuns(home: string): Promise<RunSummary[]> {
  return (
    (await withJournal(home, (journal) => journal.runs()))?.flatMap(({ run, first, last }) => {
      if (first.kind !== 'run.started') return []
      const { at, task, model } = first
      return [{ run, at, task, model, ...(last.kind === 'run.ended' ? { outcome: last.outcome } : {}) }]
    }) ?? []
  )
}

/** Finds a run by its id, the beginning of it that no other has, or `latest`. Throws a `TaoError` when there is none. */
export async function loadRun(home: string, wanted: string): Promise<StoredRun> {
  const loaded = await withJournal(home, async (journal) => {
    const runs = (await journal.runs()).map((each) => each.run)
    if (runs.length === 0) return undefined
    const run = findRun(runs, wanted)
    return { run, events: await journal.read(run) }
  })
  const [started] = loaded?.events ?? []
  if (loaded === undefined || started?.kind !== 'run.started') throw noRuns(home)
  const last = loaded.events.at(-1)
  return { ...loaded, started, ...(last?.kind === 'run.ended' ? { outcome: last.outcome } : {}) }
}

/** The working copy of a run. Throws a `TaoError` for a run without one, or when it is gone. */
export async function workspaceOfRun({ run, started }: StoredRun): Promise<Workspace> {
  if (started.workspace === undefined)
    throw new TaoError('workspace', `Run ${run} had no workspace, so it changed nothing.`)
  return openWorkspace(started.workspace)
}

async function withJournal<T>(home: string, read: (journal: Journal) => Promise<T>): Promise<T | undefined> {
  const path = homeAt(home).journal
  if (!existsSync(path)) return undefined
  const journal = openSqliteJournal(path)
  try {
    return await read(journal)
  } finally {
    await journal.close()
  }
}

/** Throws a `TaoError` when none or several are meant. */
export function findRun(runs: readonly string[], wanted: string): string {
  const found = wanted === 'latest' ? runs.slice(0, 1) : runs.filter((run) => run.startsWith(wanted))
  const exact = found.find((run) => run === wanted) ?? (found.length === 1 ? found[0] : undefined)
  if (exact !== undefined) return exact
  if (found.length > 1)
    throw new TaoError(
      'run',
      `${found.length} runs begin with "${wanted}": ${found.slice(0, 5).join(', ')}${found.length > 5 ? ' …' : ''}`,
      {
        fix: 'Write more of the id, or "latest".',
      },
    )
  throw new TaoError('run', `There is no run "${wanted}".`, { fix: 'See which there are with: tao runs' })
}

const noRuns = (home: string): TaoError =>
  new TaoError('run', `There are no runs in ${home} yet.`, { fix: 'Start one with: tao run "…"' })

/** Why nothing proves that what would be applied is right, in a sentence; undefined for a proved result. */
export async function findDoubt({ events, outcome }: StoredRun, workspace: Workspace): Promise<string | undefined> {
  if (outcome === undefined) return 'the run has no end on record.'
  if (outcome.status !== 'success') return `the run ended as "${outcome.status}". ${outcome.reason}`
  const checked = events.findLast((event) => event.kind === 'check.finished')
  if (checked?.kind === 'check.finished' && checked.tree === (await workspace.treeHash())) return undefined
  return 'the working copy is not what was checked any more.'
}
