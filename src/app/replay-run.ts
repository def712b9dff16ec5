import type { RunResumed } from '../core/approval.ts'
import { TaoError } from '../core/error.ts'
import type { Event, RunStarted, Stamp } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import type { ContentStore, Journal } from '../journal/journal.ts'
import { APPROVAL_LIFETIME } from '../run/approval.ts'
import { type Replay, replay } from '../run/replay.ts'
import type { Parts } from '../run/run.ts'
import { silentModel } from './models.ts'
import { withJournal } from './open-journal.ts'
import { specOf } from './open-run.ts'
import { partsOfRecord } from './place-at-rest.ts'
import { requestOf } from './resume-task.ts'
import type { RunOptions } from './run-options.ts'
import { maskerForScreen } from './secrets.ts'
import type { Settings } from './settings.ts'
import { findRun, noRuns } from './stored-runs.ts'
import { readTaskRequest, type TaskRequest } from './task-request.ts'

export interface RunReplay extends Replay {
  readonly run: string
}

export interface ReplayWish {
  /** A task file to replay the run with, in place of what it was asked: what a change of the file changes in it. */
  readonly taskFile?: string
  /** What paths in the request are relative to now, where the run was recorded elsewhere. */
  readonly folder?: string
}

/**
 * Drives a run of the journal again, with parts made as they would be made now. Nothing is asked, run, copied or recorded.
 * Rejects with a `TaoError` for a run that no command has started.
 */
export async function replayRun(settings: Settings, wanted: string, wish: ReplayWish = {}): Promise<RunReplay> {
  const replayed = await withJournal(settings, async (opened) => {
    const names = (await opened.journal.runs()).map(({ run }) => run)
    const run = findRun(names, wanted)
    const events = await opened.journal.read(run)
    return { run, ...(await replayEvents({ run, events, opened, settings }, wish)) }
  })
  if (replayed === undefined) throw noRuns(settings.home)
  return replayed
}

/** A run that was read, and where the client's other runs and the large results are. */
export interface RecordedRun {
  readonly run: string
  readonly events: readonly Event[]
  readonly opened: { readonly journal: Journal; readonly store: ContentStore }
  readonly settings: Settings
}

export async function replayEvents(recorded: RecordedRun, { taskFile, folder }: ReplayWish = {}): Promise<Replay> {
  const { run, events } = recorded
  const started = startOf(run, events)
  const request = requestOf(run, events.slice(0, 1))
  const asked = taskFile === undefined ? request : await withFile(request, taskFile)
  const moved = folder === undefined ? {} : { folder }
  const partsFor = async (wish: TaskRequest, model: string): Promise<Parts> =>
    (await partsOfRecord({ ...optionsFor(wish, recorded, model), ...moved }, run, events)).parts
  const spec = specOf({ ...optionsFor(asked, recorded, started.model), ...requestIn(started) }, run)
  return replay({
    ...{ spec, events, parts: await partsFor(asked, started.model) },
    partsFrom: ({ seq }: Stamp & RunResumed) =>
      partsFor(later(asked, request, requestOf(run, events.slice(0, seq + 1))), modelAt(events, seq)),
  })
}

/** The same for a run whose options its program knows. */
export async function replayWith(options: RunOptions, events: readonly Event[]): Promise<Replay> {
  const run = events[0]?.run ?? ''
  return replay({ spec: specOf(options, run), events, parts: (await partsOfRecord(options, run, events)).parts })
}

/** Throws a `TaoError` where the journal does not begin with the start of the run. */
export function startOf(run: string, [started]: readonly Event[]): RunStarted {
  if (started?.kind === 'run.started') return started
  throw new TaoError('run', `The journal of run ${run} does not begin with its start.`)
}

const requestIn = ({ request }: RunStarted): { readonly request?: JsonObject } =>
  request === undefined ? {} : { request }

/** The file as it is now, with the model and the folders of the run. */
async function withFile({ wish, workspace, stream }: TaskRequest, taskFile: string): Promise<TaskRequest> {
  const read = await readTaskRequest(taskFile, { folder: process.cwd() })
  return {
    ...read,
    wish: { ...wish, folders: { ...wish.folders, taskFile: read.wish.folders.taskFile } },
    ...(workspace === undefined ? {} : { workspace }),
    ...(stream === undefined ? {} : { stream }),
  }
}

/** What a run was asked later differs in a few points from what it was asked first; the rest is as asked now. */
function later(now: TaskRequest, first: TaskRequest, then: TaskRequest): TaskRequest {
  const changed = Object.entries(then).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(first[key as keyof TaskRequest]),
  )
  return { ...now, ...Object.fromEntries(changed) }
}

function modelAt(events: readonly Event[], seq: number): string {
  const last = events.findLast(
    (event) =>
      event.seq <= seq && (event.kind === 'run.started' || (event.kind === 'run.resumed' && event.model !== undefined)),
  )
  return last?.kind === 'run.started' || last?.kind === 'run.resumed' ? (last.model ?? '') : ''
}

function optionsFor(asked: TaskRequest, { opened, settings, events, run }: RecordedRun, model: string): RunOptions {
  const { wish, retry: _, secrets: _names, ...task } = asked
  const masker = maskerForScreen(settings, startOf(run, events))
  return {
    ...task,
    ...(masker === undefined ? {} : { masker }),
    ...{ model: silentModel(model, wish.price), settings, folder: wish.folders.taskFile },
    ...{ journal: opened.journal, store: opened.store },
    work: () => '',
    approvals: { key: '', lifetime: APPROVAL_LIFETIME },
  }
}
