import { TaoError } from '../core/error.ts'
import type { Limits } from '../core/limits.ts'
import type { Corpus } from '../tools/corpus/corpus.ts'
import type { PythonPlace } from '../tools/python.ts'
import type { Tool } from '../tools/tool.ts'
import type { Settings } from './settings.ts'

/** Makes a tool for a place. Undefined where it cannot be made there: then the run is blocked, and says why. */
type Build = (place: PythonPlace | undefined) => Tool | undefined

interface ResearchTool {
  readonly needsSandbox: boolean
  readonly needsWorkspace?: boolean
  /** True of what asks services of the web whatever corpus there is. */
  readonly needsWeb?: boolean
  /** Rejects with a `TaoError` for what is missing or set wrongly. */
  readonly open: (sources: Sources) => Promise<Build>
}

/** Where research tools take from what they give. */
export interface Sources {
  readonly settings: Settings
  /** Those of the run: what a tool spends counts towards them. */
  readonly limits: Partial<Limits>
  /** Documents of this machine, in place of the web. */
  readonly corpus?: Corpus
}

/**
 * Tools that need no workspace, and one that reads documents of it, by the name a task gives them. What they bring with them
 * is loaded when one is named.
 */
export const RESEARCH_TOOLS: ReadonlyMap<string, ResearchTool> = new Map([
  ['search', { needsSandbox: false, open: openSearch }],
  ['visit', { needsSandbox: false, open: openVisit }],
  ['scholar', { needsSandbox: false, needsWeb: true, open: openScholar }],
  ['python', { needsSandbox: true, open: openPython }],
  ['parse_file', { needsSandbox: false, needsWorkspace: true, open: openParseFile }],
  // As models that were trained with Alibaba's research agent know them.
  ['google_scholar', { needsSandbox: false, needsWeb: true, open: as('google_scholar', openScholar) }],
  ['PythonInterpreter', { needsSandbox: true, open: as('PythonInterpreter', openPython) }],
])

/**
 * Of the tools of a preset those that one question has a use for: without what reads files where it has none, and without what
 * can only ask the web where a corpus was named in its place.
 */
export const fittingTools = (
  tools: readonly string[],
  { workspace, corpus }: { readonly workspace: object | undefined; readonly corpus: string | undefined },
): readonly string[] =>
  tools.filter((name) => {
    const { needsWorkspace, needsWeb } = RESEARCH_TOOLS.get(name) ?? {}
    return !(needsWorkspace && workspace === undefined) && !(needsWeb && corpus !== undefined)
  })

/** The same tool under another name. */
function as(name: string, open: ResearchTool['open']): ResearchTool['open'] {
  return async (sources) => {
    const build = await open(sources)
    return (place) => {
      const tool = build(place)
      return tool && { ...tool, definition: { ...tool.definition, name } }
    }
  }
}

async function openSearch({ settings, corpus }: Sources): Promise<Build> {
  const { search } = await import('../tools/web/search.ts')
  const service =
    corpus === undefined
      ? (await import('./web-access.ts')).searchServiceFrom(settings)
      : (await import('../tools/corpus/corpus-web.ts')).corpusSearch(corpus)
  const tool = search(service)
  return () => tool
}

async function openVisit({ settings, limits, corpus }: Sources): Promise<Build> {
  const { visit } = await import('../tools/web/visit.ts')
  const ask = await (await import('./second-model.ts')).readingModelFrom(settings, limits)
  const pages =
    corpus === undefined
      ? (await import('./web-access.ts')).pageReaderFrom(settings)
      : (await import('../tools/corpus/corpus-web.ts')).corpusPages(corpus)
  const tool = visit({ pages, ...(ask === undefined ? {} : { ask }) })
  return () => tool
}

async function openParseFile({ settings, limits }: Sources): Promise<Build> {
  const { parseFile } = await import('../tools/parse-file.ts')
  const ask = await (await import('./second-model.ts')).seeingModelFrom(settings, limits)
  return (place) =>
    place?.view === undefined ? undefined : parseFile({ view: place.view, ...(ask === undefined ? {} : { ask }) })
}

async function openScholar({ settings }: Sources): Promise<Build> {
  const { scholarServicesFrom } = await import('./web-access.ts')
  const { scholar } = await import('../tools/web/scholar.ts')
  const tool = scholar(scholarServicesFrom(settings))
  return () => tool
}

async function openPython(): Promise<Build> {
  const { python } = await import('../tools/python.ts')
  const { findPython } = await import('../tools/python-found.ts')
  const found = findPython()
  if (found !== undefined) return (place) => place && python(place, found)
  throw new TaoError('tool', 'The tool python needs Python 3, which this machine does not have.', {
    fix: 'Install it (on Debian: apt-get install python3), or leave the tool out.',
  })
}
