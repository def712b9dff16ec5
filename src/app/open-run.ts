import { type Ids, systemClock, systemIds } from '../core/clock.ts'
import type { Event } from '../core/event.ts'
import { DEFAULT_LIMITS, type Limits } from '../core/limits.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Delta } from '../core/request.ts'
import type { ContentStore, Journal } from '../journal/journal.ts'
import type { Model, Retry } from '../model/model.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { advance } from '../run/advance.ts'
import type { Parts, Run } from '../run/run.ts'
import { expectPrice, startRun } from '../run/start.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import type { CriterionChoice } from './criteria.ts'
import { openProtocol, type ProtocolName } from './protocols.ts'
import { type ChosenTools, chooseTools, type ToolChoice } from './run-tools.ts'
import { expectHeld, limitsOf, type SandboxChoice } from './sandbox-choice.ts'
import type { WorkspaceRequest } from './task-request.ts'
import type { WorkPlace } from './work-place.ts'

/** Everything a run needs, decided. */
export interface RunOptions extends RunListeners {
  readonly task: string
  readonly model: Model
  readonly workspace?: WorkspaceRequest
  /** Default: the built-in ones with a workspace, none without. */
  readonly tools?: readonly ToolChoice[]
  /** How calls are written in replies. Default: native. */
  readonly protocol?: ProtocolName
  readonly limits?: Partial<Limits>
  /** What one command may use, in tools and criteria. Default: the sandbox's own. */
  readonly sandbox?: SandboxChoice
  /** Hosts that commands may reach, as in a task file. Default: none. */
  readonly network?: readonly string[]
  readonly done?: readonly CriterionChoice[]
  readonly instructions?: string
  /** Default: 0. */
  readonly temperature?: number
  /** Default: 4096. */
  readonly maxOutputTokens?: number
  readonly stream?: boolean
  readonly thinking?: boolean
  readonly journal: Journal
  readonly store: ContentStore
  /** Gives the folder that working copies lie in; asked only when there is a workspace. */
  readonly work: () => string
  readonly sandboxProgram?: string
  /** Ends the copying of the workspace; the run then ends as cancelled. The same signal goes to `proceed`. */
  readonly signal?: AbortSignal
  readonly ids?: Ids
}

export interface RunListeners {
  readonly onEvent?: (event: Event) => void
  readonly onDelta?: (delta: Delta) => void
  readonly onRetry?: (retry: Retry) => void
}

/** A run that has been recorded as started, and has not done anything yet. */
export interface OpenedRun {
  readonly run: Run
  readonly workspace: Workspace | undefined
  proceed(signal: AbortSignal): Promise<Outcome>
}

const DEFAULT_OUTPUT_TOKENS = 4096

/**
 * Builds the parts of a run and records its start. Throws a `TaoError` for what cannot work. Without a sandbox a run that
 * needs one starts blocked: the reason is recorded, nothing is copied and nothing executed.
 */
export async function openRun(options: RunOptions): Promise<OpenedRun> {
  expectHeld(options.network ?? [], options.sandbox)
  expectPrice(options.limits ?? {}, options.model)
  const id = (options.ids ?? systemIds).run()
  const tools = await chooseTools(options.tools, options.workspace !== undefined)
  const place = await placeFor(options, id, tools.needsSandbox)
  const { workspace, blocked } = place
  const parts = buildParts(options, { protocol: await openProtocol(options.protocol ?? 'native'), tools, place })
  const run = await startRun(
    {
      id,
      task: options.task,
      client: 'local',
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
      temperature: options.temperature ?? 0,
      maxOutputTokens: options.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS,
      stream: options.stream ?? false,
      thinking: options.thinking ?? false,
      ...(blocked === undefined ? {} : { blocked }),
    },
    parts,
  )
  return { run, workspace, proceed: (signal) => proceed(run, place, signal) }
}

/** At its end nothing of the run is left, a sandbox that waited for its next command neither. */
async function proceed(run: Run, { workspace, sandbox }: WorkPlace, signal: AbortSignal): Promise<Outcome> {
  try {
    const outcome = await advance(run, signal)
    if (workspace === undefined || outcome.changed.length === 0) return outcome
    await (await import('./kept-diff.ts')).keepDiff(workspace)
    return outcome
  } finally {
    await sandbox?.close()
  }
}

/** A run without files, commands and criteria never loads what those need. */
async function placeFor(options: RunOptions, id: string, toolsNeedSandbox: boolean): Promise<WorkPlace> {
  const { workspace, done = [] } = options
  if (workspace === undefined && done.length === 0 && !toolsNeedSandbox) return { criteria: [] }
  return (await import('./work-place.ts')).openWorkPlace({ ...options, id, toolsNeedSandbox })
}

/** What of the options commands are run with. */
const boundsIn = ({ sandbox }: RunOptions, { network }: WorkPlace) => ({
  ...(sandbox === undefined ? {} : { limits: limitsOf(sandbox) }),
  ...(network === undefined ? {} : { network }),
})

interface Built {
  readonly protocol: Protocol
  readonly tools: ChosenTools
  readonly place: WorkPlace
}

function buildParts(options: RunOptions, { protocol, tools, place }: Built): Parts {
  const { model, journal, store, onEvent, onDelta, onRetry } = options
  const { sandbox, workspace, criteria } = place
  return {
    model,
    protocol,
    tools: tools.build(workspace && sandbox && { sandbox, view: workspace.view, ...boundsIn(options, place) }),
    criteria,
    journal,
    store,
    clock: systemClock,
    sandbox: { name: options.sandbox?.backend ?? 'bubblewrap', network: options.network ?? [] },
    ...(workspace === undefined ? {} : { workspace }),
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(onDelta === undefined ? {} : { onDelta }),
    ...(onRetry === undefined ? {} : { onRetry }),
  }
}
