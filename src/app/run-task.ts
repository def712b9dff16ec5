import { resolve } from 'node:path'
import type { Event } from '../core/event.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Delta } from '../core/request.ts'
import type { ContentStore, Journal } from '../journal/journal.ts'
import { memoryJournal } from '../journal/memory.ts'
import { memoryStore } from '../journal/memory-store.ts'
import type { Model, Retry } from '../model/model.ts'
import type { Change, Workspace } from '../sandbox/workspace.ts'
import { chooseModel } from './choose-model.ts'
import type { CriterionChoice } from './criteria.ts'
import { openHome } from './home.ts'
import { diffOf } from './kept-diff.ts'
import { openModel } from './models.ts'
import { openRun } from './open-run.ts'
import type { ProtocolName } from './protocols.ts'
import type { ToolChoice } from './run-tools.ts'
import type { SandboxChoice } from './sandbox-choice.ts'
import { readSettings, type Settings } from './settings.ts'
import type { TypedLimits } from './task-limits.ts'
import type { WorkspaceRequest } from './task-request.ts'

/** What a program can say about a run. Everything may be left out. */
export interface RunTaskOptions {
  /** `provider/model`, or a model of your own. Default: what the environment has, as the command chooses it. */
  readonly model?: string | Model
  /** Address of the model service, for a model given by name. */
  readonly baseUrl?: string
  /** Your own tools, and names of built-in ones. Default: all built-in ones with a workspace, none without. */
  readonly tools?: readonly ToolChoice[]
  /** How calls are written in replies: native, tagged, thought-action or agent-calls. Default: native. */
  readonly protocol?: ProtocolName
  /** The folder to work on; tools work on a copy of it. */
  readonly workspace?: string | WorkspaceOptions
  /** What must hold, checked by code, before the run is a `success`. */
  readonly done?: readonly CriterionChoice[]
  /** Times in milliseconds, or as text: `10m`. What is left out has its default. */
  readonly limits?: TypedLimits
  /** What one command may use. What is left out has its default. */
  readonly sandbox?: SandboxChoice
  /** Hosts that commands may reach, such as `registry.example`, `*.example.org`, `host.example:8443`. Default: none. */
  readonly network?: readonly string[]
  /** What the model is told beside the task. */
  readonly instructions?: string
  /** Default: 0. */
  readonly temperature?: number
  /** Default: 4096. */
  readonly maxOutputTokens?: number
  /** Ask for the replies in pieces. Default: true when somebody listens to them. */
  readonly stream?: boolean
  readonly thinking?: boolean
  /** Default: in memory. A journal that is given is not closed. */
  readonly journal?: Journal
  /** Keeps results that are too large for the journal. Default: in memory. */
  readonly store?: ContentStore
  /** Cancels the run: it closes what is open and ends as `cancelled`. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: Event) => void
  readonly onDelta?: (delta: Delta) => void
  readonly onRetry?: (retry: Retry) => void
}

export type WorkspaceOptions = Pick<WorkspaceRequest, 'path'> & Partial<WorkspaceRequest>

/** How a run ended, and what it made. */
export interface RunResult extends Outcome {
  /** The id of the run. */
  readonly run: string
  /** For a run with a workspace that was not blocked. */
  readonly changes?: DeliveredChanges
}

/** What a run changed, in its own copy until it is applied. */
export interface DeliveredChanges {
  /** Where the copy lies. */
  readonly copy: string
  /** As `git diff` writes it. */
  diff(): Promise<string>
  /** Writes the changes into the folder. Rejects with a `TaoError` when it was changed meanwhile; then nothing is written. */
  apply(): Promise<readonly Change[]>
}

/**
 * Does a task and resolves to how it ended: whatever a model, a tool or a service does is data in the result. Rejects with a
 * `TaoError` for misuse: a name, a folder, a limit that cannot work.
 */
export async function run(task: string, options: RunTaskOptions = {}): Promise<RunResult> {
  const settings = readSettings()
  const { model: _, baseUrl: _url, workspace, limits, signal, ...rest } = options
  const opened = await openRun({
    ...rest,
    task,
    model: await modelFor(options, settings),
    ...(workspace === undefined ? {} : { workspace: workspaceRequest(workspace) }),
    ...(limits === undefined ? {} : { limits: (await import('./task-limits.ts')).readLimits(limits) }),
    stream: options.stream ?? options.onDelta !== undefined,
    journal: options.journal ?? memoryJournal(),
    store: options.store ?? memoryStore(),
    work: () => openHome(settings.home).work,
    ...(signal === undefined ? {} : { signal }),
    ...(settings.sandboxProgram === undefined ? {} : { sandboxProgram: settings.sandboxProgram }),
  })
  const outcome = await opened.proceed(signal ?? new AbortController().signal)
  return {
    ...outcome,
    run: opened.run.id,
    ...(opened.workspace === undefined ? {} : { changes: changesIn(opened.workspace) }),
  }
}

async function modelFor({ model, baseUrl }: RunTaskOptions, settings: Settings): Promise<Model> {
  if (typeof model === 'object') return model
  const folder = process.cwd()
  const wish = {
    ...(model === undefined ? {} : { flag: model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    folders: { flag: folder, taskFile: folder },
  }
  return openModel(await chooseModel(wish, settings), settings)
}

function workspaceRequest(given: string | WorkspaceOptions): WorkspaceRequest {
  const { path, protect = [], ...rest } = typeof given === 'string' ? { path: given } : given
  return { path: resolve(path), protect, ...rest }
}

const changesIn = (workspace: Workspace): DeliveredChanges => ({
  copy: workspace.record.copy,
  diff: () => diffOf(workspace),
  apply: async () => (await import('../sandbox/apply.ts')).applyChanges(workspace),
})
