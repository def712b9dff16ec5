import type { Item } from '../batch/item.ts'
import type { RolloutHooks, RunRollout } from '../batch/run-batch.ts'
import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import { totalTokens } from '../core/usage.ts'
import { evolve } from '../run/evolve.ts'
import type { Approvals } from '../run/run.ts'
import { emptyState, type State } from '../run/state.ts'
import type { ModelChoice } from './choose-model.ts'
import { stageFiles } from './item-files.ts'
import type { OpenedJournal } from './open-journal.ts'
import { openRun } from './open-run.ts'
import { approvalsFor, type OpenedTask, type TaskListeners, type TaskSource, withParts } from './open-task.ts'
import { reopenRun } from './reopen-run.ts'
import { requestOf } from './resume-task.ts'
import { type OpenCorpus, sharedCorpora } from './run-tools.ts'
import type { Settings } from './settings.ts'
import type { Preset, TaskRequest } from './task-request.ts'

export interface RolloutSource {
  readonly preset: Preset
  /** Decided once: every rollout asks the same model. */
  readonly choice: ModelChoice
  /** Addresses of servers that all have that model. A row stays with one of them. Empty: the model's own. */
  readonly endpoints: readonly string[]
  /** Where the files of items lie. */
  readonly files: string
  readonly settings: Settings
  readonly opened: OpenedJournal
}

/** Rollouts as ordinary runs of the deployment's journal. */
export function openRollouts(source: RolloutSource): RunRollout {
  const shared = { approvals: approvalsFor(source.settings), openCorpus: sharedCorpora() }
  return async ({ row }, hooks) => {
    if (!('item' in row)) throw new Error(`${row.where} has no item.`)
    const { earlier } = hooks
    const events = earlier === undefined ? [] : await source.opened.journal.read(earlier)
    const state = stateOf(events)
    if (totalTokens(state.usage) > 0) hooks.used(state.usage) // a limit of the batch is not got round by resuming
    if (earlier !== undefined && hasEnded(state)) return { run: earlier, state }
    const attempt = { source, shared, hooks, item: row.item, request: requestFor(row.item, row.index, source) }
    const task = events.length === 0 ? await begin(attempt) : await goOn(attempt, events)
    await task.proceed(hooks.signal)
    return { run: task.run.id, state: task.run.state }
  }
}

interface Attempt {
  readonly source: RolloutSource
  readonly shared: { readonly approvals: Approvals; readonly openCorpus: OpenCorpus }
  readonly hooks: RolloutHooks
  readonly item: Item
  readonly request: TaskRequest
}

/** A run that was cancelled was parked. */
const hasEnded = ({ outcome }: State): boolean => outcome !== undefined && outcome.status !== 'cancelled'

function stateOf(events: readonly Event[]): State {
  const state = emptyState()
  for (const event of events) evolve(state, event)
  return state
}

/** Rows take turns at the servers by their place in the dataset, so that a row that is run again meets the same one. */
function requestFor(item: Item, index: number, { preset, choice, endpoints }: RolloutSource): TaskRequest {
  const { why: _, name, price, baseUrl: own, folder } = choice
  const baseUrl = endpoints[index % endpoints.length] ?? own
  const request = preset.about(item.question)
  const wish = {
    flag: name,
    ...(price === undefined ? {} : { price }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    folders: { ...request.wish.folders, flag: folder },
  }
  return { ...request, wish }
}

async function begin(attempt: Attempt): Promise<OpenedTask> {
  const { item, request, source } = attempt
  if (item.files.length === 0) return start(attempt)
  if (request.workspace !== undefined)
    throw new TaoError('files', 'The item has files, but the task has a workspace of its own.')
  await using staged = await stageFiles(item.files, source.files)
  const withFiles = source.preset.about(item.question, { path: staged.folder, protect: [] })
  return await start({ ...attempt, request: { ...withFiles, wish: request.wish } })
}

async function start(attempt: Attempt): Promise<OpenedTask> {
  const { request, shared, hooks } = attempt
  const { openCorpus } = shared
  const task = await withParts(partsFor(attempt), (options) =>
    openRun({ ...options, openCorpus, request: request as unknown as JsonObject }),
  )
  hooks.began(task.run.id)
  return task
}

/** What it was started with holds, but for the address of the server. */
async function goOn(attempt: Attempt, events: readonly Event[]): Promise<OpenedTask> {
  const [{ run } = { run: '' }] = events
  const { openCorpus } = attempt.shared
  const request = { ...requestOf(run, events), wish: attempt.request.wish }
  const repliesBefore = events.filter(({ kind }) => kind === 'model.replied').length
  return await withParts({ ...partsFor({ ...attempt, request }), repliesBefore }, (options) =>
    reopenRun({ ...options, openCorpus }, { run, events, reason: 'the batch goes on' }),
  )
}

/** The journal is open for the whole batch: it is not closed with a run. */
function partsFor({ request, source, shared, hooks }: Attempt): TaskSource {
  const { settings, opened } = source
  const listeners: TaskListeners = {
    onEvent: (event) => {
      // A reply counts even where nobody says what it used; tools and criteria say what models used that they asked.
      if (event.kind === 'model.replied' || 'usage' in event) hooks.used(event.usage)
    },
  }
  return {
    request,
    settings,
    listeners,
    approvals: shared.approvals,
    opened: { ...opened, close: async () => undefined },
  }
}
