import type { OpenedTask } from '../app/open-task.ts'
import type { Settings } from '../app/settings.ts'
import { EXIT_CODES, type Outcome } from '../core/outcome.ts'
import { waitingCalls } from '../run/answer-approval.ts'
import type { Run } from '../run/run.ts'
import { applyChanges } from '../sandbox/apply.ts'
import { calledAs } from './called-as.ts'
import { endingText } from './ending.ts'
import type { FollowFlags } from './flags.ts'
import type { LiveView } from './live-view.ts'
import { paintFor } from './paint.ts'
import { printError } from './print-error.ts'
import { short } from './printable.ts'
import { waitingText } from './waiting-text.ts'

/** Exit code of a run that rests: nobody could be asked here, or they answer later. */
const WAITING = 5

/** Says what a run waits for, and how to answer. Programs have read it in the events. */
export function restRun({ id, state }: Run, { flags, settings }: Pick<Finished, 'flags' | 'settings'>): void {
  process.exitCode = WAITING
  if (flags.json) return
  const cards = waitingCalls(state).map(({ parked }) => parked)
  const options = { run: id, command: calledAs(settings), paint: paintFor(process.stdout) }
  process.stdout.write(waitingText(cards, options))
}

export interface Finished {
  readonly task: OpenedTask
  readonly outcome: Outcome
  readonly flags: FollowFlags
  readonly settings: Settings
  readonly view: LiveView
}

/** Shows how a run ended, and applies what it proved where that is asked for. */
export async function finishRun({ task, outcome, flags, settings, view }: Finished): Promise<void> {
  process.exitCode = EXIT_CODES[outcome.status]
  const leftovers = task.leftovers()
  const { applied, error } = flags.apply === true ? await applyIfProved(task, outcome, view) : { applied: false }
  const command = calledAs(settings)
  const paint = paintFor(process.stdout)
  if (!flags.json) process.stdout.write(endingText(outcome, { run: task.run.id, command, paint, applied }))
  if (error !== undefined) printError(error, { json: flags.json === true, settings })
  const isUnused = leftovers !== undefined && process.exitCode === 0
  if (isUnused) view.say(short(leftovers))
  if (isUnused || error !== undefined) process.exitCode = 1
}

interface Applied {
  readonly applied: boolean
  /** Why the folder did not take the changes. The run has ended all the same, and is shown. */
  readonly error?: unknown
}

/** What nothing proves is not written into somebody's folder by itself. */
async function applyIfProved(
  { workspace }: OpenedTask,
  { status, changed }: Outcome,
  view: LiveView,
): Promise<Applied> {
  if (workspace === undefined || changed.length === 0) return { applied: false }
  if (status !== 'success') {
    view.say(`Not applied: the run ended as "${status}", so nothing proves its changes.`)
    return { applied: false }
  }
  try {
    await applyChanges(workspace)
  } catch (error) {
    return { applied: false, error }
  }
  view.say(`Applied to ${short(workspace.record.source, 300)}: ${short(changed.join(', '), 300)}`)
  return { applied: true }
}
