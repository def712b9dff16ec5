import { basename } from 'node:path'
import type { ModelChoice } from '../app/choose-model.ts'
import { isScripted } from '../app/models.ts'
import { type OpenedTask, openTask, type TaskListeners } from '../app/open-task.ts'
import { expectProtocol } from '../app/protocols.ts'
import { expectBackend, externalWarning } from '../app/sandbox-choice.ts'
import { readSettings, type Settings } from '../app/settings.ts'
import { readLimits } from '../app/task-limits.ts'
import { type Overrides, readTaskRequest } from '../app/task-request.ts'
import type { Event } from '../core/event.ts'
import { EXIT_CODES, type Outcome } from '../core/outcome.ts'
import { applyChanges } from '../sandbox/apply.ts'
import { calledAs } from './called-as.ts'
import { cancelOnSignals } from './cancel-signals.ts'
import { endingText } from './ending.ts'
import type { RunFlags } from './flags.ts'
import { LIMIT_FLAGS, LIMIT_NAMES } from './limit-flags.ts'
import { type LiveView, openLiveView } from './live-view.ts'
import { paintFor } from './paint.ts'
import { printError } from './print-error.ts'
import { jsonLine } from './printable.ts'
import { short } from './timeline.ts'

/** Does a task, from its words to its end. The exit code says how the run ended. */
export async function runCommand(words: string, flags: RunFlags): Promise<void> {
  const settings = readSettings()
  const request = await readTaskRequest(words, overridesOf(flags))
  using view = openLiveView(process.stderr, { quiet: flags.quiet === true || flags.json === true })
  using cancelling = cancelOnSignals(() => view.say('Cancelling. Once more ends it at once.'))
  process.once('exit', () => view[Symbol.dispose]()) // A second Ctrl-C leaves no half line on the terminal.
  const task = await openTask(request, settings, { ...listenersFor(flags, view), signal: cancelling.signal })
  try {
    if (request.sandbox?.backend === 'external') view.say(externalWarning(process.geteuid?.() === 0))
    if (!flags.quiet) sayWhere(task, view)
    const outcome = await task.proceed(cancelling.signal)
    view[Symbol.dispose]()
    await finish({ task, outcome, flags, settings, view })
  } finally {
    await task.close()
  }
}

function overridesOf(flags: RunFlags): Overrides {
  const { model, protocol, sandbox, baseUrl, workspace, protect, tools, stream } = flags
  const typed = Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
  )
  return {
    folder: process.cwd(),
    ...(model === undefined ? {} : { model }),
    ...(protocol === undefined ? {} : { protocol: expectProtocol(protocol) }),
    ...(sandbox === undefined ? {} : { backend: expectBackend(sandbox) }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(protect === undefined ? {} : { protect }),
    ...(tools === undefined ? {} : { tools }),
    ...(stream === undefined ? {} : { stream }),
    limits: readLimits(typed, (name) => LIMIT_FLAGS[name][0]),
    done: (flags.done ?? []).map((command) => ({ command })),
  }
}

/** Progress goes to standard error; for programs the events go to standard output, the outcome last. */
function listenersFor({ json, quiet }: RunFlags, view: LiveView): TaskListeners {
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

interface Finished {
  readonly task: OpenedTask
  readonly outcome: Outcome
  readonly flags: RunFlags
  readonly settings: Settings
  readonly view: LiveView
}

async function finish({ task, outcome, flags, settings, view }: Finished): Promise<void> {
  process.exitCode = EXIT_CODES[outcome.status]
  const leftovers = task.leftovers()
  const { applied, error } = flags.apply === true ? await applyIfProved(task, outcome, view) : { applied: false }
  const command = calledAs(settings)
  const paint = paintFor(process.stdout)
  if (!flags.json) process.stdout.write(endingText(outcome, { run: task.run.id, command, paint, applied }))
  if (error !== undefined) printError(error, { json: flags.json === true, debug: settings.debug })
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
