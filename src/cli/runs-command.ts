import { readSettings } from '../app/settings.ts'
import { listRuns, type RunSummary } from '../app/stored-runs.ts'
import { calledAs } from './called-as.ts'
import type { JsonFlag } from './flags.ts'
import { jsonLine } from './printable.ts'
import { short } from './timeline.ts'

/** Lists runs, newest first: one line each. */
export async function runsCommand({ json }: JsonFlag): Promise<void> {
  const settings = readSettings()
  const runs = await listRuns(settings.home)
  if (json) for (const run of runs) process.stdout.write(`${jsonLine(run)}\n`)
  else if (runs.length === 0)
    process.stderr.write(`No runs in ${settings.home} yet. Start one: ${calledAs(settings)} run "…"\n`)
  else process.stdout.write(runs.map((run) => `${runLine(run)}\n`).join(''))
}

function runLine({ run, task, model, outcome }: RunSummary): string {
  const status = outcome?.status ?? 'unfinished'
  return `${run}  ${status.padEnd(10)}  ${short(model, 28).padEnd(28)}  ${short(task, 60)}`
}
