import { TaoError } from '../core/error.ts'
import type { Event, RunStarted } from '../core/event.ts'
import type { Outcome } from '../core/outcome.ts'
import type { RunListing } from '../journal/journal.ts'
import { openWorkspace } from '../sandbox/working-copy.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import { withJournal } from './open-journal.ts'
import type { Settings } from './settings.ts'

/** A run read back from the journal. */
export interface StoredRun {
  readonly run: string
  readonly started: RunStarted
  readonly events: readonly Event[]
  readonly outcome?: Outcome
  /** It came as a file: what it says of folders is not about this machine. */
  readonly imported?: true
}

/** Newest first. A state directory without a journal has none, and none is made. */
export async function listRuns(settings: Settings): Promise<readonly RunListing[]> {
  return (await withJournal(settings, ({ journal }) => journal.runs())) ?? []
}

/** What `look` sees in each of these runs, by run. One that cannot be read is looked at as if it had no events. */
export async function lookAtEach<T>(
  settings: Settings,
  runs: readonly string[],
  look: (events: readonly Event[]) => T,
): Promise<ReadonlyMap<string, T>> {
  if (runs.length === 0) return new Map()
  const found = await withJournal(settings, ({ journal }) =>
    Promise.all(runs.map(async (run) => [run, look(await journal.read(run).catch(() => []))] as const)),
  )
  return new Map(found)
}

/** Finds a run by its id, the beginning of it that no other has, or `latest`. Throws a `TaoError` when there is none. */
export async function loadRun(settings: Settings, wanted: string): Promise<StoredRun> {
  const loaded = await withJournal(settings, async ({ journal }) => {
    const runs = await journal.runs()
    if (runs.length === 0) return undefined
    const run = findRun(
      runs.map((each) => each.run),
      wanted,
    )
    return {
      run,
      events: await journal.read(run),
      isImported: runs.find((each) => each.run === run)?.imported === true,
    }
  })
  const [started] = loaded?.events ?? []
  if (loaded === undefined || started?.kind !== 'run.started') throw noRuns(settings.home)
  const { run, events, isImported } = loaded
  const last = events.at(-1)
  return {
    run,
    events,
    started,
    ...(last?.kind === 'run.ended' ? { outcome: last.outcome } : {}),
    ...(isImported ? { imported: true } : {}),
  }
}

/** The working copy of a run. Throws a `TaoError` for a run without one, or when it is gone. */
export async function workspaceOfRun({ run, started, imported }: StoredRun): Promise<Workspace> {
  if (imported)
    throw new TaoError(
      'workspace',
      `Run ${run} was recorded elsewhere and came as a file, so its working copy is not here.`,
      {
        fix: `What it did is shown by: tao show ${run}`,
      },
    )
  if (started.workspace === undefined)
    throw new TaoError('workspace', `Run ${run} had no workspace, so it changed nothing.`)
  return openWorkspace(started.workspace)
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

export const noRuns = (home: string): TaoError =>
  new TaoError('run', `There are no runs in ${home} yet.`, { fix: 'Start one with: tao run "…"' })

/** Why nothing proves that what would be applied is right, in a sentence; undefined for a proved result. */
export async function findDoubt({ events, outcome }: StoredRun, workspace: Workspace): Promise<string | undefined> {
  if (outcome === undefined) return 'the run has no end on record.'
  if (outcome.status !== 'success') return `the run ended as "${outcome.status}". ${outcome.reason}`
  const checked = events.findLast((event) => event.kind === 'check.finished')
  if (checked?.kind === 'check.finished' && checked.tree === (await workspace.treeHash())) return undefined
  return 'the working copy is not what was checked any more.'
}
