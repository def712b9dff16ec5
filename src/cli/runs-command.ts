import { readSettings, type Settings } from '../app/settings.ts'
import { listRuns } from '../app/stored-runs.ts'
import { toolsWaitedFor } from '../app/waiting-calls.ts'
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
  const runs = await addWaiting(settings, await listRuns(settings))
  if (flags.json) process.stdout.write(runs.map((run) => `${jsonLine(run)}\n`).join(''))
  else if (runs.length === 0)
    process.stderr.write(`No runs in ${settings.home} yet. Start one: ${calledAs(settings)} run "…"\n`)
  else process.stdout.write(runs.map((run) => `${runLine(run)}\n`).join(''))
}

interface ListedRun extends RunListing {
  /** Tools whose calls wait for a person. */
  readonly waitsFor?: readonly string[]
}

async function addWaiting(settings: Settings, runs: readonly RunListing[]): Promise<readonly ListedRun[]> {
  const waiting = runs.flatMap(({ run, waitingSince }) => (waitingSince === undefined ? [] : [run]))
  const tools = await toolsWaitedFor(settings, waiting)
  return runs.map((listing) => {
    const waitsFor = tools.get(listing.run)
    return waitsFor === undefined ? listing : { ...listing, waitsFor }
  })
}

function runLine({ run, task = '', model = '', end, imported, waitsFor }: ListedRun): string {
  const status = end?.status ?? (waitsFor === undefined ? 'unfinished' : 'waiting')
  const waits = waitsFor === undefined ? '' : `  (for approval of ${short(waitsFor.join(', '), 60)})`
  const note = `${waits}${imported ? '  (imported)' : ''}`
  return `${run}  ${status.padEnd(10)}  ${short(model, 28).padEnd(28)}  ${short(task, 60)}${note}`
}
