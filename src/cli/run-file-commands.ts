import { openJournal, withJournal } from '../app/open-journal.ts'
import { exportRuns, importRuns } from '../app/run-file.ts'
import { readSettings } from '../app/settings.ts'
import { noRuns } from '../app/stored-runs.ts'
import { TaoError } from '../core/error.ts'
import { count } from './amounts.ts'
import type { JsonFlag } from './flags.ts'
import { jsonLine, printable } from './printable.ts'

/** Writes runs to one file, which is named last. */
export async function exportCommand(names: readonly string[], { json }: JsonFlag): Promise<void> {
  const [wanted, file] = [names.slice(0, -1), names.at(-1)]
  if (wanted.length === 0 || file === undefined)
    throw new TaoError('usage', 'Runs and a file are needed.', {
      fix: 'Write it like: tao runs export latest run.jsonl',
    })
  const settings = readSettings()
  const moved = await withJournal(settings, (opened) => exportRuns(opened, wanted, file))
  if (moved === undefined) throw noRuns(settings.home)
  const text = `${count(moved.runs.length, 'run')} and ${count(moved.objects, 'result')} written to ${file}.\n`
  process.stdout.write(json ? `${jsonLine({ ...moved, file })}\n` : text)
}

/** Takes in the runs of a file, and says of which nothing here proves that they are what was recorded. */
export async function importCommand(file: string, { json }: JsonFlag): Promise<void> {
  const opened = await openJournal(readSettings())
  try {
    const imported = await importRuns(opened, file)
    if (json) return void process.stdout.write(`${jsonLine(imported)}\n`)
    for (const { run, problem } of imported.unproved)
      process.stderr.write(`${printable(run)}  ${problem.kind}: ${printable(problem.detail)}\n`)
    for (const run of imported.runs) process.stdout.write(`${printable(run)}\n`)
  } finally {
    await opened.close()
  }
}
