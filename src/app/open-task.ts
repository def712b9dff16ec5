import { describeError } from '../core/error.ts'
import { fileStore } from '../journal/file-store.ts'
import { openSqliteJournal } from '../journal/sqlite.ts'
import { chooseModel, type ModelChoice } from './choose-model.ts'
import { openHome } from './home.ts'
import { openModel } from './models.ts'
import { type OpenedRun, openRun, type RunListeners } from './open-run.ts'
import type { Settings } from './settings.ts'
import type { TaskRequest } from './task-request.ts'

/** A run in the state directory, started and not yet under way. */
export interface OpenedTask extends OpenedRun {
  /** What is wrong with a script that was not used up; undefined for every other model. */
  leftovers(): string | undefined
  /** Closes the journal: nothing of the run is lost after it. */
  close(): Promise<void>
}

export interface TaskListeners extends RunListeners {
  /** Told which model was chosen and why, before anything else happens. */
  readonly onModel?: (choice: ModelChoice) => void
  readonly signal?: AbortSignal
}

/** From what was asked to a run that is recorded as started. Throws a `TaoError` for what cannot work. */
export async function openTask(
  request: TaskRequest,
  settings: Settings,
  listeners: TaskListeners = {},
): Promise<OpenedTask> {
  const { wish, ...task } = request
  const choice = await chooseModel(wish, settings)
  const model = await openModel(choice, settings)
  const { onModel, ...runListeners } = listeners
  onModel?.(choice)
  const home = openHome(settings.home)
  const journal = openSqliteJournal(home.journal)
  const program = settings.sandboxProgram === undefined ? {} : { sandboxProgram: settings.sandboxProgram }
  try {
    const store = fileStore(home.objects)
    const opened = await openRun({ ...task, ...program, ...runListeners, model, journal, store, work: () => home.work })
    return { ...opened, leftovers: () => leftoversOf(model), close: () => journal.close() }
  } catch (error) {
    await journal.close()
    throw error
  }
}

function leftoversOf(model: object): string | undefined {
  if (!('assertFinished' in model) || typeof model.assertFinished !== 'function') return undefined
  try {
    model.assertFinished()
    return undefined
  } catch (error) {
    return describeError(error)
  }
}
