import { readSettings } from '../app/settings.ts'
import { loadRun, type StoredRun } from '../app/stored-runs.ts'
import { calledAs } from './called-as.ts'
import { endingText } from './ending.ts'
import type { JsonFlag } from './flags.ts'
import { paintFor } from './paint.ts'
import { jsonLine } from './printable.ts'
import { openTimeline, short } from './timeline.ts'

/** Shows the steps of a run as a person saw them; for programs its events, as they stand in the journal. */
export async function showCommand(wanted: string, { json }: JsonFlag): Promise<void> {
  const settings = readSettings()
  const stored = await loadRun(settings.home, wanted)
  const lines = json ? stored.events.map(jsonLine) : readable(stored, calledAs(settings))
  process.stdout.write(`${lines.join('\n')}\n`)
}

function readable(stored: StoredRun, command: string): string[] {
  const { run, started, events, outcome } = stored
  const paint = paintFor(process.stdout)
  const timeline = openTimeline(paint)
  const copied = started.workspace
  return [
    `${paint.strong(run)}  ${events[0]?.at ?? ''}  ${short(started.model)}`,
    `task: ${short(started.task, 400)}`,
    ...(copied === undefined
      ? []
      : [`folder: ${short(copied.source, 300)}`, `working copy: ${short(copied.copy, 300)}`]),
    ...(copied?.skipped ?? []).map(({ path, why }) => `  not copied: ${short(path)}: ${why}`),
    '',
    ...events.flatMap(timeline),
    '',
    outcome === undefined
      ? 'No end is recorded: the run goes on in another process, or its process was ended.'
      : endingText(outcome, { run, command, paint }).trimEnd(),
  ]
}
