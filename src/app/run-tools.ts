import { TaoError } from '../core/error.ts'
import type { Limits } from '../core/limits.ts'
import { didYouMean } from '../core/nearest.ts'
import type { SandboxTool } from '../tools/command-tool.ts'
import type { Corpus } from '../tools/corpus/corpus.ts'
import type { Place } from '../tools/place.ts'
import type { PythonPlace } from '../tools/python.ts'
import type { Tool } from '../tools/tool.ts'
import { RESEARCH_TOOLS, type Sources } from './research-tools.ts'
import { readSettings, type Settings } from './settings.ts'

/** A tool that ships with Tao, by its name, or one of the caller's own. */
export type ToolChoice = string | Tool | SandboxTool

/** The tools of one run: what to build them of, checked before anything is copied or started. */
export interface ChosenTools {
  readonly needsSandbox: boolean
  /** By name. Only those that were named: a model is given nothing that nobody asked for. */
  build(place: PythonPlace | undefined): ReadonlyMap<string, Tool>
}

type Build = (place: PythonPlace | undefined) => Tool | undefined

/** What decides which tools there can be, and what they take from. */
export interface ToolGrounds {
  readonly hasWorkspace: boolean
  /** The folder of documents that search and visit take from in place of the web. */
  readonly corpus?: string
  /** Default: each run looks through the folder anew. */
  readonly openCorpus?: OpenCorpus
  /** Those of the run. Default: none that a tool has to know. */
  readonly limits?: Partial<Limits>
  /** Default: those of the environment. */
  readonly settings?: Settings
}

/**
 * Default: with a workspace all that work on one, without one nothing. Rejects with a `TaoError` for a name that is unknown
 * or stands there twice, for a tool that needs a workspace without one, and for what a network tool lacks.
 */
export async function chooseTools(
  tools: readonly ToolChoice[] | undefined,
  { hasWorkspace, corpus, limits = {}, settings = readSettings(), openCorpus = openOwnCorpus }: ToolGrounds,
): Promise<ChosenTools> {
  const chosen = tools ?? (hasWorkspace ? [...(await builtinTools()).keys()] : [])
  expectDistinct(chosen.map(nameOf))
  if (corpus !== undefined) expectCorpusUsed(chosen)
  const opened = corpus === undefined ? {} : { corpus: await openCorpus(corpus, settings) }
  const sources = { settings, limits, ...opened }
  const builds = new Map<string, Build>()
  for (const choice of chosen) builds.set(nameOf(choice), await buildOf(choice, hasWorkspace, sources))
  return {
    needsSandbox: chosen.some(needsSandbox),
    build: (place) =>
      new Map(
        [...builds].flatMap(([name, build]) => {
          const built = build(place)
          return built === undefined ? [] : [[name, built] as const]
        }),
      ),
  }
}

/** Loaded when one is named. */
const builtinTools = async () => (await import('../tools/builtin.ts')).BUILTIN_TOOLS

const needsSandbox = (choice: ToolChoice): boolean =>
  typeof choice === 'string' ? RESEARCH_TOOLS.get(choice)?.needsSandbox !== false : 'open' in choice

/** Rejects with a `TaoError` for a folder that is not there, and for an index that cannot be used. */
export type OpenCorpus = (folder: string, settings: Settings) => Promise<Corpus>

const openOwnCorpus: OpenCorpus = async (folder, settings) =>
  (await import('./corpus-home.ts')).openCorpusIn(folder, settings)

/** For many runs: each folder is looked through once for all of them. */
export function sharedCorpora(): OpenCorpus {
  const opened = new Map<string, Promise<Corpus>>()
  return (folder, settings) => {
    const corpus = opened.get(folder) ?? openOwnCorpus(folder, settings)
    opened.set(folder, corpus)
    return corpus
  }
}

function expectCorpusUsed(chosen: readonly ToolChoice[]): void {
  if (chosen.includes('search') || chosen.includes('visit')) return
  throw new TaoError('corpus', 'The task names a corpus, and neither search nor visit to use it with.', {
    fix: 'Add "search" and "visit" to the tools, or take --preset research, or leave the corpus out.',
  })
}

async function buildOf(choice: ToolChoice, hasWorkspace: boolean, sources: Sources): Promise<Build> {
  if (typeof choice !== 'string')
    return 'open' in choice ? openedIn(choice.name, choice.open, hasWorkspace) : () => choice
  const research = RESEARCH_TOOLS.get(choice)
  if (research?.needsWorkspace && !hasWorkspace) throw noWorkspace(choice)
  if (research !== undefined) return await research.open(sources)
  const builtin = await builtinTools()
  const make = builtin.get(choice)
  if (make === undefined) throw unknownTool(choice, [...builtin.keys(), ...RESEARCH_TOOLS.keys()])
  return openedIn(choice, make, hasWorkspace)
}

function openedIn(name: string, open: (place: Place) => Tool, hasWorkspace: boolean): Build {
  if (!hasWorkspace) throw noWorkspace(name)
  return (place) => (place?.view === undefined ? undefined : open({ ...place, view: place.view }))
}

function expectDistinct(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new TaoError('tool', `The tool "${twice}" is named twice.`, { fix: 'Name it once.' })
}

const unknownTool = (name: string, known: readonly string[]): TaoError =>
  new TaoError('tool', `There is no tool "${name}". ${didYouMean(name, known)}`, { fix: `Tools: ${known.join(', ')}.` })

const noWorkspace = (name: string): TaoError =>
  new TaoError('tool', `The tool ${name} needs a workspace, and the task has none.`, {
    fix: 'Name the folder to work on: --workspace DIR, or "workspace: { path: . }" in the task file.',
  })

function nameOf(tool: ToolChoice): string {
  if (typeof tool === 'string') return tool
  return 'open' in tool ? tool.name : tool.definition.name
}
