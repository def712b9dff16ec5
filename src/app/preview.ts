import { join } from 'node:path'
import type { Effect } from '../core/call.ts'
import type { Language } from '../core/language.ts'
import type { ToolDefinition } from '../core/request.ts'
import type { Criterion } from '../judge/criterion.ts'
import { type FilePlace, systemPrompt } from '../run/prompt.ts'
import { foreseeProtected } from '../sandbox/working-copy.ts'
import { homeAt } from './home.ts'
import { boundsIn, groundsOf, protocolFor, sandboxFacts } from './run-parts.ts'
import { chooseTools } from './run-tools.ts'
import type { Settings } from './settings.ts'
import type { TaskRequest } from './task-request.ts'
import { toldBeside } from './told-beside.ts'
import { furnish } from './work-place.ts'

/** What a run would tell its model, found out without a model, a working copy or a command. */
export interface Preview {
  readonly protocol: string
  readonly language: Language
  readonly tools: readonly PreviewedTool[]
  readonly criteria: readonly Criterion[]
  /** The system message as it would be sent. Throws a `TaoError` for a workspace that cannot be used. */
  system(): string
}

export interface PreviewedTool extends ToolDefinition {
  readonly effects: readonly Effect[]
}

/** Rejects with a `TaoError` for a request that would be refused as a run too. */
export async function previewRun(request: TaskRequest, settings: Settings): Promise<Preview> {
  const instructions = toldBeside(request)
  const protocol = await protocolFor(request)
  const chosen = await chooseTools(request.tools, groundsOf({ ...request, settings }))
  const place = await furnish(request)
  const copy = join(homeAt(settings.home).work, 'RUN', 'copy') // of a run that there is not
  const view = request.workspace === undefined ? {} : { view: { copy, protect: [] } }
  const tools = chosen.build({ sandbox: place.sandbox, ...view, ...boundsIn(request, place) })
  const listed = [...tools.values()].map(({ definition, effects }) => ({ ...definition, effects }))
  return {
    protocol: protocol.name,
    language: protocol.prompts.language,
    tools: listed,
    criteria: place.criteria,
    system: () =>
      systemPrompt({
        protocol,
        tools: [...tools.values()].map(({ definition }) => definition),
        criteria: place.criteria.map(({ name }) => name),
        sandbox: sandboxFacts(request),
        now: Date.now(),
        ...filesOf(request, copy),
        ...(instructions === undefined ? {} : { instructions }),
        ...(request.prompt === undefined ? {} : { template: request.prompt }),
      }),
  }
}

const filesOf = ({ workspace }: TaskRequest, copy: string): { readonly files?: FilePlace } =>
  workspace === undefined ? {} : { files: { copy, protect: foreseeProtected(workspace.path, workspace.protect) } }
