import { readSettings, type Settings } from '../app/settings.ts'
import { listRuns } from '../app/stored-runs.ts'
import { toolsWaitedFor } from '../app/waiting-calls.ts'
import { workersOf } from '../app/worker.ts'
import { TaoError } from '../core/error.ts'
import type { RunListing } from '../journal/journal.ts'
import { calledAs } from './called-as.ts'
import type { RunsFlags } from './flags.ts'
import { jsonLine, short } from './printable.ts'

/** Lists runs, newest first: one line each. */
export async function runsCommand(flags: RunsFlags): Promise<void> {
  const settings = readSettings()
  if (flags.prune === true) return (await import('./prune-command.ts')).pruneCommand(settings, flags)
  if (flags.yes || flags.olderThan !== undefined || flags.largerThan !== undefined || flags.status !== undefined)
    throw new TaoError('usage', 'Which runs are meant is said for --prune only.', {
      fix: 'Add --prune, or leave it out.',
    })
  const runs = await addWorkers(settings, await addWaiting(settings, await listRuns(settings)))
  if (flags.json) process.stdout.write(runs.map((run) => `${jsonLine(run)}\n`).join(''))
  else if (runs.length === 0)
    process.stderr.write(`No runs in ${settings.home} yet. Start one: ${calledAs(settings)} run "…"\n`)
  else process.stdout.write(runs.map((run) => `${runLine(run)}\n`).join(''))
}

interface ListedRun extends RunListing {
  /** Tools whose calls wait for a person. */
  readonly waitsFor?: readonly string[]
  /** The process that works on it now. */
  readonly process?: number
}

async function addWaiting(settings: Settings, runs: readonly RunListing[]): Promise<readonly ListedRun[]> {
  const waiting = runs.flatMap(({ run, waitingSince }) => (waitingSince === undefined ? [] : [run]))
  const tools = await toolsWaitedFor(settings, waiting)
  return runs.map((listing) => {
    const waitsFor = tools.get(listing.run)
    return waitsFor === undefined ? listing : { ...listing, waitsFor }
  })
}

/** Of the newest ones: their events have to be read for it. */
const MOST_ASKED = 20

async function addWorkers(settings: Settings, runs: readonly ListedRun[]): Promise<readonly ListedRun[]> {
  const open = runs.filter(({ end, waitingSince }) => end === undefined && waitingSince === undefined)
  const workers = await workersOf(
    settings,
    open.slice(0, MOST_ASKED).map(({ run }) => run),
  )
  return runs.map((listing) => {
    const worker = workers.get(listing.run)
    return worker === undefined ? listing : { ...listing, process: worker.pid }
  })
}

function runLine({ run, task = '', model = '', imported, ...standing }: ListedRun): string {
  const status = statusOf(standing).padEnd(10)
  return `${run}  ${status}  ${short(model, 28).padEnd(28)}  ${short(task, 60)}${noteOn(standing)}${imported ? '  (imported)' : ''}`
}

type Standing = Pick<ListedRun, 'end' | 'waitsFor' | 'process'>

function statusOf({ end, waitsFor, process: worker }: Standing): string {
  if (end !== undefined) return end.status
  if (waitsFor !== undefined) return 'waiting'
  return worker === undefined ? 'unfinished' : 'running'
}

function noteOn({ waitsFor, process: worker }: Standing): string {
  if (waitsFor !== undefined) return `  (for approval of ${short(waitsFor.join(', '), 60)})`
  return worker === undefined ? '' : `  (process ${worker})`
}
