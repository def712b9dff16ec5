import { join } from 'node:path'
import type { Criterion } from '../judge/criterion.ts'
import type { Trouble } from '../run/state.ts'
import { type AllowedHost, readAllowList } from '../sandbox/allow-list.ts'
import { bubblewrap } from '../sandbox/bubblewrap.ts'
import { DEFAULT_IGNORE } from '../sandbox/ignore.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { makeWorkspace } from '../sandbox/working-copy.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import { buildCriteria, type CriterionChoice, runsCommand } from './criteria.ts'
import { limitsOf, type SandboxChoice } from './sandbox-choice.ts'
import type { WorkspaceRequest } from './task-request.ts'

export interface WorkPlaceOptions {
  /** The run it is for; its working copy is named after it. */
  readonly id: string
  readonly workspace?: WorkspaceRequest
  readonly done?: readonly CriterionChoice[]
  /** Gives the folder that working copies lie in; asked only when there is a workspace. */
  readonly work: () => string
  readonly sandboxProgram?: string
  /** What one command may use. */
  readonly sandbox?: SandboxChoice
  /** Hosts that commands may reach, as they are written. */
  readonly network?: readonly string[]
  /** Whether the run's tools need the sandbox. */
  readonly toolsNeedSandbox: boolean
  /** Ends the copying: then there is no working copy, and nothing of it is left. */
  readonly signal?: AbortSignal
}

/** Where a run works: its sandbox, its working copy, and what is checked there. */
export interface WorkPlace {
  readonly sandbox?: Sandbox
  readonly workspace?: Workspace
  /** Hosts that commands may reach; undefined for none. */
  readonly network?: readonly AllowedHost[]
  readonly criteria: readonly Criterion[]
  /** Why there is none, although the run needs one. Then nothing was copied. */
  readonly blocked?: Trouble
}

/** Looks whether the sandbox holds, then makes the working copy. Throws a `TaoError` for what cannot work. */
export async function openWorkPlace(options: WorkPlaceOptions): Promise<WorkPlace> {
  const { done = [], toolsNeedSandbox } = options
  const sandbox = await openSandbox(options)
  const allowed = readAllowList(options.network ?? [])
  const network = allowed.length === 0 ? {} : { network: allowed }
  const criteria = buildCriteria(done, { sandbox, limits: limitsOf(options.sandbox), ...network })
  const blocked = toolsNeedSandbox || done.some(runsCommand) ? await findTrouble(sandbox) : undefined
  if (blocked !== undefined) return { sandbox, criteria, blocked }
  const workspace = await openCopy(options)
  return { sandbox, criteria, ...network, ...(workspace === undefined ? {} : { workspace }) }
}

async function openSandbox({ sandbox, sandboxProgram }: WorkPlaceOptions): Promise<Sandbox> {
  if (sandbox?.backend === 'external') return (await import('../sandbox/external.ts')).external()
  return bubblewrap({ ahead: true, ...(sandboxProgram === undefined ? {} : { program: sandboxProgram }) })
}

async function findTrouble(sandbox: Sandbox): Promise<Trouble | undefined> {
  const probe = await sandbox.probe()
  return probe.ok ? undefined : { reason: `There is no sandbox, so nothing was run. ${probe.problem}`, fix: probe.fix }
}

async function openCopy({ workspace, work, id, signal }: WorkPlaceOptions): Promise<Workspace | undefined> {
  if (workspace === undefined) return undefined
  const { path, protect, ignore = [] } = workspace
  const copied = { source: path, place: join(work(), id), protect, ignore: [...DEFAULT_IGNORE, ...ignore] }
  try {
    return await makeWorkspace({ ...copied, ...(signal === undefined ? {} : { signal }) })
  } catch (error) {
    if (signal?.aborted === true) return undefined // The run starts without one, and ends as cancelled at once.
    throw error
  }
}
