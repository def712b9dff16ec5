import { join } from 'node:path'
import { type Ids, systemClock, systemIds } from '../core/clock.ts'
import type { Event } from '../core/event.ts'
import { DEFAULT_LIMITS, type Limits } from '../core/limits.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Delta } from '../core/request.ts'
import type { ContentStore, Journal } from '../journal/journal.ts'
import type { Criterion } from '../judge/criterion.ts'
import type { Model, Retry } from '../model/model.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { advance } from '../run/advance.ts'
import type { Parts, Run } from '../run/run.ts'
import { startRun } from '../run/start.ts'
import type { Trouble } from '../run/state.ts'
import { bubblewrap } from '../sandbox/bubblewrap.ts'
import { DEFAULT_IGNORE } from '../sandbox/ignore.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { makeWorkspace } from '../sandbox/working-copy.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import { buildCriteria, type CriterionChoice, runsCommand } from './criteria.ts'
import { keepDiff } from './kept-diff.ts'
import { openProtocol, type ProtocolName } from './protocols.ts'
import { type ChosenTools, chooseTools, type ToolChoice } from './run-tools.ts'
import type { WorkspaceRequest } from './task-request.ts'

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
  const id = (options.ids ?? systemIds).run()
  const tools = await chooseTools(options.tools, options.workspace !== undefined)
  const sandbox = bubblewrap(options.sandboxProgram === undefined ? {} : { program: options.sandboxProgram })
  const criteria = buildCriteria(options.done ?? [], sandbox)
  const needsSandbox = tools.needsSandbox || options.done?.some(runsCommand) === true
  const blocked = needsSandbox ? await findTrouble(sandbox) : undefined
  const workspace = blocked === undefined ? await openCopy(options, id) : undefined
  const protocol = await openProtocol(options.protocol ?? 'native')
  const parts = buildParts(options, { protocol, tools, criteria, sandbox, workspace })
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
  return {
    run,
    workspace,
    async proceed(signal) {
      const outcome = await advance(run, signal)
      if (workspace !== undefined && outcome.changed.length > 0) await keepDiff(workspace)
      return outcome
    },
  }
}

/** Asked before anything is copied. */
async function findTrouble(sandbox: Sandbox): Promise<Trouble | undefined> {
  const probe = await sandbox.probe()
  return probe.ok ? undefined : { reason: `There is no sandbox, so nothing was run. ${probe.problem}`, fix: probe.fix }
}

async function openCopy({ workspace, work }: RunOptions, id: string): Promise<Workspace | undefined> {
  if (workspace === undefined) return undefined
  const { path, protect, ignore = [] } = workspace
  return makeWorkspace({ source: path, place: join(work(), id), protect, ignore: [...DEFAULT_IGNORE, ...ignore] })
}

interface Built {
  readonly protocol: Protocol
  readonly tools: ChosenTools
  readonly criteria: readonly Criterion[]
  readonly sandbox: Sandbox
  readonly workspace: Workspace | undefined
}

function buildParts(options: RunOptions, { protocol, tools, criteria, sandbox, workspace }: Built): Parts {
  const { model, journal, store, onEvent, onDelta, onRetry } = options
  return {
    model,
    protocol,
    tools: tools.build(workspace && { sandbox, view: workspace.view }),
    criteria,
    journal,
    store,
    clock: systemClock,
    ...(workspace === undefined ? {} : { workspace }),
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(onDelta === undefined ? {} : { onDelta }),
    ...(onRetry === undefined ? {} : { onRetry }),
  }
}
