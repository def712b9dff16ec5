import { createHmac } from 'node:crypto'
import { describeError } from '../core/error.ts'
import type { JsonObject } from '../core/json.ts'
import type { Model } from '../model/model.ts'
import { APPROVAL_LIFETIME } from '../run/approval.ts'
import type { Approvals, AskPerson } from '../run/run.ts'
import { chooseModel, type ModelChoice } from './choose-model.ts'
import { openHome } from './home.ts'
import { journalKey } from './journal-key.ts'
import { openModel } from './models.ts'
import { type OpenedJournal, openJournal } from './open-journal.ts'
import { type OpenedRun, openRun } from './open-run.ts'
import type { RunListeners, RunOptions } from './run-options.ts'
import { openMasker } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { TaskRequest } from './task-request.ts'

/** A run in the state directory, recorded and not yet under way. */
export interface OpenedTask extends OpenedRun {
  /** What is wrong with a script that was not used up; undefined for every other model. */
  leftovers(): string | undefined
  /** Closes the journal: nothing of the run is lost after it. */
  close(): Promise<void>
}

export interface TaskListeners extends RunListeners {
  /** Told which model was chosen and why, before anything else happens. */
  readonly onModel?: (choice: ModelChoice) => void
  /** Asks a person about calls that need one. Default: the run rests until `tao approve` or `tao deny`. */
  readonly ask?: AskPerson
  readonly signal?: AbortSignal
}

/** From what was asked to a run that is recorded as started. Throws a `TaoError` for what cannot work. */
export function openTask(request: TaskRequest, settings: Settings, listeners: TaskListeners = {}): Promise<OpenedTask> {
  return withParts({ request, settings, listeners }, (options) =>
    openRun({ ...options, request: request as unknown as JsonObject }),
  )
}

export interface TaskSource {
  readonly request: TaskRequest
  readonly settings: Settings
  readonly listeners: TaskListeners
  /** How many replies of a script the run has had before. */
  readonly repliesBefore?: number
  /** Closed with the task; when none can be opened, whoever gave it closes it. Default: the deployment's journal. */
  readonly opened?: OpenedJournal
  /** Default: made of the deployment's key, which is read for it. */
  readonly approvals?: Approvals
}

/** Opens what every run of a task needs, then the run; closes what it opened when that fails. */
export async function withParts(
  { request, settings, listeners, repliesBefore = 0, opened, approvals }: TaskSource,
  open: (options: RunOptions) => Promise<OpenedRun>,
): Promise<OpenedTask> {
  const { wish, retry, secrets = [], ...task } = request
  const { onModel, ask, ...runListeners } = listeners
  const choice = await chooseModel(wish, settings)
  const again = retry === undefined ? {} : { retry }
  const model = await openModel({ ...choice, ...again, from: repliesBefore }, settings)
  const masker = openMasker(settings, { variables: secrets })
  onModel?.(choice)
  const { journal, store, close } = opened ?? (await openJournal(settings))
  try {
    const run = await open({
      ...task,
      ...runListeners,
      ...(masker === undefined ? {} : { masker }),
      ...{ model, settings, journal, store, folder: wish.folders.taskFile },
      work: () => openHome(settings.home).work,
      openGrader: (name) => openModel({ name, folder: wish.folders.taskFile }, settings),
      approvals: approvals ?? approvalsFor(settings, ask),
      ...(settings.sandboxProgram === undefined ? {} : { sandboxProgram: settings.sandboxProgram }),
    })
    return { ...run, leftovers: () => leftoversOf(model), close }
  } catch (error) {
    if (opened === undefined) await close()
    throw error
  }
}

/** The key is the deployment's own, as no tool and no sandbox ever sees it. */
export function approvalsFor(settings: Settings, ask?: AskPerson): Approvals {
  const secret = journalKey(settings, openHome(settings.home), { make: true }) ?? ''
  const key = createHmac('sha256', secret).update('tao approvals').digest('base64')
  return { key, lifetime: APPROVAL_LIFETIME, ...(ask === undefined ? {} : { ask }) }
}

function leftoversOf(model: Model): string | undefined {
  if (!('assertFinished' in model) || typeof model.assertFinished !== 'function') return undefined
  try {
    model.assertFinished()
    return undefined
  } catch (error) {
    return describeError(error)
  }
}
