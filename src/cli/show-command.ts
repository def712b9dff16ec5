import { readSettings } from '../app/settings.ts'
import { loadRun, type StoredRun } from '../app/stored-runs.ts'
import { waitingCalls } from '../app/waiting-calls.ts'
import { explainEnding } from '../app/why.ts'
import { TaoError } from '../core/error.ts'
import { calledAs } from './called-as.ts'
import { endingText } from './ending.ts'
import type { ShowFlags } from './flags.ts'
import { paintFor } from './paint.ts'
import { jsonLine, printable, short } from './printable.ts'
import { openTimeline } from './timeline.ts'
import { type WaitingOptions, waitingText } from './waiting-text.ts'

/** Shows the steps of a run as a person saw them; for programs its events, as they stand in the journal. */
export async function showCommand(wanted: string, { json, why }: ShowFlags): Promise<void> {
  const settings = readSettings()
  const stored = await loadRun(settings, wanted)
  if (why) return printWhy(stored, json === true)
  const lines = json ? stored.events.map(jsonLine) : readable(stored, calledAs(settings))
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Two runs side by side from where they part. */
export async function showTwoCommand(a: string, b: string, { json, why }: ShowFlags): Promise<void> {
  if (why) throw new TaoError('usage', '--why is said of one run.', { fix: 'Leave it out, or name one run only.' })
  const settings = readSettings()
  const [one, two] = [await loadRun(settings, a), await loadRun(settings, b)]
  const { showTwo } = await import('./show-two.ts')
  process.stdout.write(showTwo(one, two, { json: json === true, width: process.stdout.columns ?? USUAL_WIDTH }))
}

const USUAL_WIDTH = 160

/** Where a run that did not succeed left the path. */
function printWhy({ events, outcome }: StoredRun, json: boolean): void {
  const last = events.at(-1)
  const open = last?.kind === 'run.parked' ? last.reason : 'No end is recorded.'
  const why = explainEnding(events) ?? (outcome === undefined ? open : `The run ended as ${outcome.status}.`)
  process.stdout.write(json ? `${jsonLine({ why })}\n` : `${printable(why)}\n`)
}

function readable(stored: StoredRun, command: string): string[] {
  const { run, started, events, outcome } = stored
  const paint = paintFor(process.stdout)
  const timeline = openTimeline(paint)
  const copied = started.workspace
  return [
    `${paint.strong(run)}  ${events[0]?.at ?? ''}  ${short(started.model)}`,
    `task: ${short(started.task, 400)}`,
    ...(started.parent === undefined
      ? []
      : [`forked from ${short(started.parent.run)} after step ${started.parent.step}`]),
    ...(copied === undefined
      ? []
      : [`folder: ${short(copied.source, 300)}`, `working copy: ${short(copied.copy, 300)}`]),
    ...(copied?.skipped ?? []).map(({ path, why }) => `  not copied: ${short(path)}: ${why}`),
    '',
    ...events.flatMap(timeline),
    '',
    outcome === undefined
      ? standing(stored, { run, command, paint })
      : endingText(outcome, { run, command, paint }).trimEnd(),
  ]
}

/** Where a run stands that has no end. */
function standing({ events }: StoredRun, options: WaitingOptions): string {
  if (events.at(-1)?.kind === 'run.parked') return waitingText(waitingCalls(events), options).trimEnd()
  return `No end is recorded: the run goes on in another process, or its process was ended.\nto go on with it:  ${options.command} resume ${options.run}`
}
