import { basename } from 'node:path'
import type { ModelChoice } from '../app/choose-model.ts'
import { isScripted } from '../app/models.ts'
import type { OpenedTask, TaskListeners } from '../app/open-task.ts'
import { externalWarning } from '../app/sandbox-choice.ts'
import type { Settings } from '../app/settings.ts'
import type { Event } from '../core/event.ts'
import type { AskPerson } from '../run/run.ts'
import { cancelOnSignals } from './cancel-signals.ts'
import { finishRun, restRun } from './finish-run.ts'
import type { FollowFlags } from './flags.ts'
import { type LiveView, openLiveView } from './live-view.ts'
import { jsonLine, short } from './printable.ts'

export interface Following {
  readonly flags: FollowFlags
  readonly settings: Settings
  /** What had happened in a run that goes on. */
  readonly before?: readonly Event[]
}

/** Shows a run, new or taken up, until it ends or rests. The exit code says how. */
export async function followRun(
  open: (listeners: TaskListeners) => Promise<OpenedTask>,
  { flags, settings, before = [] }: Following,
): Promise<void> {
  using view = openLiveView(process.stderr, { quiet: flags.quiet === true || flags.json === true, before })
  using cancelling = cancelOnSignals(() => view.say('Cancelling. Once more ends it at once.'))
  process.once('exit', () => view[Symbol.dispose]()) // A second Ctrl-C leaves no half line on the terminal.
  const task = await open({
    ...listenersFor(flags, view),
    ...(canAsk(flags) ? { ask: askingOn(view, settings) } : {}),
    signal: cancelling.signal,
  })
  try {
    if (task.run.state.started?.sandbox === 'external') view.say(externalWarning(process.geteuid?.() === 0))
    if (!flags.quiet) sayWhere(task, view)
    const outcome = await task.proceed(cancelling.signal)
    view[Symbol.dispose]()
    if (outcome === undefined) restRun(task.run, { flags, settings })
    else await finishRun({ task, outcome, flags, settings, view })
  } finally {
    await task.close()
  }
}

/** Somebody reads what is asked and can answer. */
const canAsk = ({ json, quiet }: FollowFlags): boolean =>
  process.stdin.isTTY === true &&
  !process.stdin.destroyed &&
  process.stderr.isTTY === true &&
  json !== true &&
  quiet !== true

const askingOn =
  (view: LiveView, { editor }: Settings): AskPerson =>
  async (cards, asking) => {
    using _paused = view.pause()
    return await (await import('./ask-person.ts')).askPerson(cards, { ...asking, editor })
  }

/** Progress goes to standard error; for programs the events go to standard output, the outcome last. */
function listenersFor({ json, quiet }: FollowFlags, view: LiveView): TaskListeners {
  const shown = quiet || json ? {} : { onDelta: view.onDelta, onRetry: view.onRetry }
  return {
    ...shown,
    onModel: (choice) => sayModel(choice, view, quiet === true),
    onEvent: (event) => {
      if (json) printEvent(event)
      else if (!quiet) view.onEvent(event)
    },
  }
}

const printEvent = (event: Event): void => {
  process.stdout.write(`${jsonLine(event)}\n`)
}

/** That a model is none is said first, whatever else is silent. */
function sayModel({ name, why }: ModelChoice, view: LiveView, quiet: boolean): void {
  const shown = isScripted(name) ? `scripted/${basename(name)}` : name
  if (isScripted(name)) view.say(`No real model: the replies come from a script, ${short(shown)}.`)
  if (!quiet) view.say(`model: ${short(shown)} (${short(why, 300)})`)
}

const SHOWN_SKIPPED = 5

function sayWhere({ run, workspace }: OpenedTask, view: LiveView): void {
  view.say(`run: ${run.id}`)
  const { network = [] } = run.state.started ?? {}
  if (network.length > 0) view.say(`network: commands can reach ${short(network.join(', '), 300)}`)
  if (workspace === undefined) return
  const { source, protect, skipped } = workspace.record
  view.say(
    `working on a copy of ${short(source, 300)}${protect.length === 0 ? '' : `; protected: ${short(protect.join(', '))}`}`,
  )
  for (const { path, why } of skipped.slice(0, SHOWN_SKIPPED)) view.say(`  not copied: ${short(path)}: ${why}`)
  if (skipped.length > SHOWN_SKIPPED) view.say(`  not copied: ${skipped.length - SHOWN_SKIPPED} more`)
}
