import { TaoError } from '../core/error.ts'
import { didYouMean } from '../core/nearest.ts'
import type { Place } from '../tools/place.ts'
import type { Tool } from '../tools/tool.ts'

/** A tool that ships with Tao, by its name, or one of the caller's own. */
export type ToolChoice = string | Tool

type BuiltinTools = ReadonlyMap<string, (place: Place) => Tool>

/** The tools of one run: what to build them of, checked before anything is copied or started. */
export interface ChosenTools {
  readonly needsSandbox: boolean
  /** By name. Only those that were named: a model is given nothing that nobody asked for. */
  build(place: Place | undefined): ReadonlyMap<string, Tool>
}

/**
 * Default: with a workspace all that ships with Tao, without one nothing. Rejects with a `TaoError` for a name that is
 * unknown or stands there twice, and for a built-in tool without a workspace.
 */
export async function chooseTools(
  tools: readonly ToolChoice[] | undefined,
  hasWorkspace: boolean,
): Promise<ChosenTools> {
  const needsSandbox = tools === undefined ? hasWorkspace : tools.some((tool) => typeof tool === 'string')
  const builtin: BuiltinTools = needsSandbox ? (await import('../tools/builtin.ts')).BUILTIN_TOOLS : new Map()
  const chosen = tools ?? [...builtin.keys()]
  expectDistinct(chosen.map(nameOf))
  for (const tool of chosen) if (typeof tool === 'string') expectBuiltin(tool, builtin, hasWorkspace)
  return {
    needsSandbox,
    build: (place) =>
      new Map(
        chosen.flatMap((tool) => {
          const built = typeof tool === 'string' ? place && builtin.get(tool)?.(place) : tool
          return built === undefined ? [] : [[nameOf(tool), built] as const]
        }),
      ),
  }
}

function expectDistinct(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new TaoError('tool', `The tool "${twice}" is named twice.`, { fix: 'Name it once.' })
}

function expectBuiltin(name: string, builtin: BuiltinTools, hasWorkspace: boolean): void {
  const known = [...builtin.keys()]
  if (!builtin.has(name))
    throw new TaoError('tool', `There is no tool "${name}". ${didYouMean(name, known)}`, {
      fix: `Tools: ${known.join(', ')}.`,
    })
  if (!hasWorkspace)
    throw new TaoError('tool', `The tool ${name} needs a workspace, and the task has none.`, {
      fix: 'Name the folder to work on: --workspace DIR, or "workspace: { path: . }" in the task file.',
    })
}

const nameOf = (tool: ToolChoice): string => (typeof tool === 'string' ? tool : tool.definition.name)
