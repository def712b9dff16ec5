import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import type { Limits } from '../core/limits.ts'
import type { UserWords } from '../core/words.ts'
import type { Answers } from '../run/run.ts'
import type { ModelWish } from './choose-model.ts'
import { type OpenedJournal, openJournal } from './open-journal.ts'
import { type OpenedTask, type TaskListeners, withParts } from './open-task.ts'
import type { ProtocolName } from './protocols.ts'
import { reopenRun } from './reopen-run.ts'
import type { Settings } from './settings.ts'
import { findRun } from './stored-runs.ts'
import type { TaskRequest } from './task-request.ts'
import { expectSound } from './verify-run.ts'

/** What is different from here on; everything else is as the run was started. */
export interface TaskContinuation {
  /** For people. */
  readonly reason: string
  readonly limits?: Partial<Limits>
  readonly words?: readonly UserWords[]
  readonly answers?: Answers
  readonly model?: string
  readonly protocol?: ProtocolName
  readonly policy?: string
}

/** Takes up a run that a command started, by its id or the beginning of it. Rejects with a `TaoError`. */
export async function resumeTask(
  wanted: string,
  wish: TaskContinuation,
  deployment: TaskDeployment,
): Promise<OpenedTask> {
  const opened = await openJournal(deployment.settings)
  try {
    const run = findRun(
      (await opened.journal.runs()).map((each) => each.run),
      wanted,
    )
    const events = await opened.journal.read(run)
    await expectSound(opened, run)
    return await goOn({ run, events, opened }, wish, deployment)
  } catch (error) {
    await opened.close()
    throw error
  }
}

export interface TaskDeployment {
  readonly settings: Settings
  readonly listeners: TaskListeners
}

/** A run that was read from an open journal. */
interface ReadRun {
  readonly run: string
  readonly events: readonly Event[]
  readonly opened: OpenedJournal
}

/** The journal stays open when it rejects. */
export async function goOn(
  { run, events, opened }: ReadRun,
  { model, protocol, policy, ...wish }: TaskContinuation,
  { settings, listeners }: TaskDeployment,
): Promise<OpenedTask> {
  const asked = requestOf(run, events)
  const request: TaskRequest = {
    ...asked,
    limits: { ...asked.limits, ...wish.limits },
    ...(protocol === undefined ? {} : { protocol }),
    ...(policy === undefined ? {} : { policy }),
    ...(model === undefined ? {} : { wish: wishFor(asked.wish, model) }),
  }
  const isChanged = [model, protocol, policy].some((each) => each !== undefined)
  const changed = isChanged ? { request: structuredClone(request) as unknown as JsonObject } : {}
  const repliesBefore = model === undefined ? repliesOf(events) : 0
  return withParts({ request, settings, listeners, repliesBefore, opened }, (options) =>
    reopenRun(options, { run, events, ...wish, ...changed }),
  )
}

/** Files named now are relative to where the command is called now. */
const wishFor = (wish: ModelWish, model: string): ModelWish => ({
  ...wish,
  flag: model,
  folders: { ...wish.folders, flag: process.cwd() },
})

/** Replies of the model that the run has now: a script goes on where it was. */
const repliesOf = (events: readonly Event[]): number =>
  events
    .slice(events.findLastIndex((event) => event.kind === 'run.resumed' && event.model !== undefined) + 1)
    .filter(({ kind }) => kind === 'model.replied').length

/** What the command that started the run was asked, with what was said since. */
export function requestOf(run: string, events: readonly Event[]): TaskRequest {
  const last = events.findLast(
    (event) => (event.kind === 'run.started' || event.kind === 'run.resumed') && event.request !== undefined,
  )
  if ((last?.kind === 'run.started' || last?.kind === 'run.resumed') && last.request !== undefined)
    return last.request as unknown as TaskRequest
  throw new TaoError('run', `Run ${run} was not started by a command, so what it works with is not on record.`, {
    fix: 'Go on with it from the program that started it.',
  })
}
