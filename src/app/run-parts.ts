import { steadyClock } from '../core/clock.ts'
import { languageOf } from '../core/language.ts'
import type { WorkspaceRecord } from '../core/workspace-record.ts'
import { expectPrice } from '../model/price.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { expectTemplate } from '../run/prompt.ts'
import type { Parts, Permission, SandboxFacts } from '../run/run.ts'
import type { PythonPlace } from '../tools/python.ts'
import { openProtocol } from './protocols.ts'
import type { RunOptions } from './run-options.ts'
import { chooseTools, type ToolGrounds } from './run-tools.ts'
import { expectHeld, limitsOf } from './sandbox-choice.ts'
import { type ToldContract, toldBeside } from './told-beside.ts'
import type { WorkPlace, WorkPlaceOptions } from './work-place.ts'
import { thisWorker } from './worker.ts'

/** What a run works with and where, opened. */
export interface OpenedParts {
  readonly parts: Parts
  readonly place: WorkPlace
}

/**
 * Builds everything that a run works with; `existing` is the working copy of a run that goes on. Rejects with a `TaoError` for
 * what cannot work, before anything is copied.
 */
export const openParts = (asked: RunOptions, id: string, existing?: WorkspaceRecord): Promise<OpenedParts> =>
  partsIn(asked, id, (options, toolsNeedSandbox) =>
    placeFor(options, { id, toolsNeedSandbox, ...(existing === undefined ? {} : { existing }) }),
  )

type OpenPlace = (options: RunOptions, toolsNeedSandbox: boolean) => Promise<WorkPlace>

/** The same in a place that the caller opens. */
export async function partsIn(asked: RunOptions, id: string, openPlace: OpenPlace): Promise<OpenedParts> {
  const options = withoutSecrets(asked)
  expectHeld(options.network ?? [], options.sandbox)
  expectPrice(options.limits ?? {}, options.model)
  const protocol = await protocolFor(options)
  const tools = await chooseTools(options.tools, groundsOf(options))
  const place = await openPlace(options, tools.needsSandbox)
  const permission = await permissionFor(options, place, id)
  const { model, journal, store, approvals, masker, onEvent, onDelta, onRetry } = options
  const { workspace, criteria, facts } = place
  const worker = thisWorker()
  const parts: Parts = {
    ...{ model, protocol, criteria, journal, store, clock: steadyClock(), sandbox: sandboxFacts(options) },
    tools: tools.build(toolPlace(options, place)),
    ...(worker === undefined ? {} : { worker }),
    ...(facts === undefined ? {} : { facts }),
    ...(permission === undefined ? {} : { permission }),
    ...(approvals === undefined ? {} : { approvals }),
    ...(masker === undefined ? {} : { masker }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(onDelta === undefined ? {} : { onDelta }),
    ...(onRetry === undefined ? {} : { onRetry }),
  }
  return { parts, place }
}

/** What is checked is sent to sandboxes and graders: no secret goes there, wherever it was written. */
function withoutSecrets({ done, ...options }: RunOptions): RunOptions {
  return done === undefined ? options : { ...options, done: options.masker?.mask(done) ?? done }
}

/** What of a request or of options decides about tools. */
export const groundsOf = ({
  workspace,
  corpus,
  openCorpus,
  limits,
  settings,
}: Pick<RunOptions, 'workspace' | 'corpus' | 'openCorpus' | 'limits' | 'settings'>): ToolGrounds => ({
  hasWorkspace: workspace !== undefined,
  ...(limits === undefined ? {} : { limits }),
  ...(corpus === undefined ? {} : { corpus }),
  ...(openCorpus === undefined ? {} : { openCorpus }),
  ...(settings === undefined ? {} : { settings }),
})

type ProtocolWish = Pick<RunOptions, 'task' | 'protocol' | 'language' | 'compat' | 'prompt'> & ToldContract

/** The protocol of a run, in its language. Rejects with a `TaoError` for a name or a prompt that cannot be used. */
export async function protocolFor(wish: ProtocolWish): Promise<Protocol> {
  const { task, protocol, compat, prompt, language = languageOf(task) } = wish
  const opened = await openProtocol({
    language,
    ...(protocol === undefined ? {} : { protocol }),
    ...(compat === undefined ? {} : { compat }),
  })
  const instructions = toldBeside(wish)
  const told = instructions === undefined ? {} : { instructions }
  if (prompt !== undefined) expectTemplate({ template: prompt, protocol: opened, ...told })
  return opened
}

/** False for a run without files, commands and criteria. */
export function needsPlace(options: RunOptions, toolsNeedSandbox: boolean): boolean {
  const { workspace, done = [], facts = [], answer } = options
  const isBare = workspace === undefined && done.length === 0 && facts.length === 0 && answer === undefined
  return !isBare || toolsNeedSandbox
}

type PlaceWish = Pick<WorkPlaceOptions, 'id' | 'toolsNeedSandbox' | 'existing'>

/** A run without files, commands and criteria never loads what those need. */
async function placeFor(options: RunOptions, wanted: PlaceWish): Promise<WorkPlace> {
  if (!needsPlace(options, wanted.toolsNeedSandbox)) return { criteria: [] }
  return (await import('./work-place.ts')).openWorkPlace({ ...options, ...wanted })
}

/** What of the options commands are run with. */
export const boundsIn = ({ sandbox }: Pick<RunOptions, 'sandbox'>, { network }: WorkPlace) => ({
  ...(sandbox === undefined ? {} : { limits: limitsOf(sandbox) }),
  ...(network === undefined ? {} : { network }),
})

export const sandboxFacts = ({ sandbox, network = [] }: Pick<RunOptions, 'sandbox' | 'network'>): SandboxFacts => ({
  name: sandbox?.backend ?? 'bubblewrap',
  network,
})

/** Without a sandbox that holds there is none, and the run is blocked. */
function toolPlace(options: RunOptions, place: WorkPlace): PythonPlace | undefined {
  const { sandbox, workspace, blocked } = place
  if (sandbox === undefined || blocked !== undefined) return undefined
  return { sandbox, ...(workspace === undefined ? {} : { view: workspace.view }), ...boundsIn(options, place) }
}

/** A run without a policy never loads what reads one. */
async function permissionFor(
  options: RunOptions,
  { workspace }: WorkPlace,
  run: string,
): Promise<Permission | undefined> {
  const { policy, session, known, journal, isUnrecorded } = options
  if (policy === undefined && session === undefined && known === undefined) return undefined
  return (await import('./permission.ts')).openPermission(options, {
    run,
    isExternal: options.sandbox?.backend === 'external',
    ...(isUnrecorded ? {} : { journal }),
    ...(options.folder === undefined ? {} : { folder: options.folder }),
    ...(workspace === undefined ? {} : { workspace: workspace.record }),
  })
}
