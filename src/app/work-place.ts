import { join } from 'node:path'
import { TaoError } from '../core/error.ts'
import type { FactDeclaration } from '../core/known-fact.ts'
import type { WorkspaceRecord } from '../core/workspace-record.ts'
import type { Criterion } from '../judge/criterion.ts'
import type { DeclaredFacts } from '../judge/facts.ts'
import type { Model } from '../model/model.ts'
import { expectEarly } from '../run/check-first.ts'
import type { Trouble } from '../run/state.ts'
import { type AllowedHost, readAllowList } from '../sandbox/allow-list.ts'
import { bubblewrap } from '../sandbox/bubblewrap.ts'
import { DEFAULT_IGNORE } from '../sandbox/ignore.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { makeWorkspace, reopenWorkspace } from '../sandbox/working-copy.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import { buildCriteria, type CriterionChoice, runsCommand } from './criteria.ts'
import { limitsOf, type SandboxChoice } from './sandbox-choice.ts'
import type { WorkspaceRequest } from './task-request.ts'

export interface WorkPlaceOptions {
  /** The run it is for; its working copy is named after it. */
  readonly id: string
  readonly workspace?: WorkspaceRequest
  /** The working copy of a run that goes on, in place of a new one. */
  readonly existing?: WorkspaceRecord
  readonly done?: readonly CriterionChoice[]
  readonly facts?: readonly FactDeclaration[]
  /** What the answer is made from. */
  readonly answer?: string
  /** Opens a model that a criterion names. Default: none can be asked. */
  readonly openGrader?: (name: string) => Promise<Model>
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
  readonly facts?: DeclaredFacts
  /** Why there is none, although the run needs one. Then nothing was copied. */
  readonly blocked?: Trouble
}

type FurnitureOptions = Omit<WorkPlaceOptions, 'id' | 'work' | 'toolsNeedSandbox'>
type Furniture = WorkPlace & { readonly sandbox: Sandbox }

/** What a run works with, but for its working copy: nothing is started and nothing copied. */
export async function furnish(options: FurnitureOptions): Promise<Furniture> {
  const sandbox = await openSandbox(options)
  const { openGrader = unopened } = options
  const allowed = readAllowList(options.network ?? [])
  const network = allowed.length === 0 ? {} : { network: allowed }
  const limits = limitsOf(options.sandbox)
  const criteria = await buildCriteria(options.done ?? [], { sandbox, limits, ...network, openGrader })
  expectEarly(criteria)
  return { sandbox, ...network, criteria, ...(await factsIn(options)) }
}

/** What only looks at a task asks no model. */
const unopened = async (name: string): Promise<Model> => ({
  name,
  openBody: () => ({ append: () => undefined, take: () => ({ bytes: new Uint8Array(), prefixBytes: 0, sha256: '' }) }),
  ask: () => Promise.reject(new TaoError('model', `${name} was not opened.`)),
})

async function factsIn({ facts = [], answer }: FurnitureOptions): Promise<Pick<WorkPlace, 'facts'>> {
  const names = facts.map(({ name }) => name)
  if (answer !== undefined) (await import('../judge/fact-answer.ts')).expectFacts(answer, names)
  return facts.length === 0 ? {} : { facts: (await import('../judge/facts.ts')).declareFacts(facts) }
}

/** Looks whether the sandbox holds, then makes the working copy. Throws a `TaoError` for what cannot work. */
export async function openWorkPlace(options: WorkPlaceOptions): Promise<WorkPlace> {
  const { done = [], toolsNeedSandbox } = options
  const furniture = await furnish(options)
  const { sandbox } = furniture
  const blocked = toolsNeedSandbox || done.some(runsCommand) ? await findTrouble(sandbox) : undefined
  if (blocked !== undefined) return { ...furniture, blocked }
  const workspace = await openCopy(options)
  return { ...furniture, ...(workspace === undefined ? {} : { workspace }) }
}

async function openSandbox({ sandbox, sandboxProgram }: FurnitureOptions): Promise<Sandbox> {
  if (sandbox?.backend === 'external') return (await import('../sandbox/external.ts')).external()
  return bubblewrap({ ahead: true, ...(sandboxProgram === undefined ? {} : { program: sandboxProgram }) })
}

async function findTrouble(sandbox: Sandbox): Promise<Trouble | undefined> {
  const probe = await sandbox.probe()
  return probe.ok ? undefined : { reason: `There is no sandbox, so nothing was run. ${probe.problem}`, fix: probe.fix }
}

async function openCopy({ workspace, existing, work, id, signal }: WorkPlaceOptions): Promise<Workspace | undefined> {
  if (existing !== undefined) return reopenWorkspace(existing)
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
