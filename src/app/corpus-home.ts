import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeError, TaoError } from '../core/error.ts'
import { type Corpus, openCorpus } from '../tools/corpus/corpus.ts'
import { homeAt, openHome } from './home.ts'
import type { Settings } from './settings.ts'

/** Beside the index: which folder it is of. Written at each use, so that its time tells when that was. */
const FOLDER = 'folder'

/**
 * A folder of documents whose index is kept in the state directory, for the next run too. Throws a `TaoError` for a folder
 * that is not there, and for an index that cannot be used.
 */
export function openCorpusIn(folder: string, settings: Settings): Corpus {
  const place = join(openHome(settings.home).corpora, hash('sha256', folder).slice(0, 16))
  try {
    const corpus = openCorpus({ folder, indexFile: join(place, 'index.sqlite') })
    writeFileSync(join(place, FOLDER), folder)
    return corpus
  } catch (error) {
    if (error instanceof TaoError) throw error
    throw new TaoError('corpus', `The index of ${folder} cannot be used: ${describeError(error)}`, {
      fix: `Remove ${place}: it is made anew.`,
      cause: error,
    })
  }
}

/** The index of a folder of documents in the state directory. It can always be made anew. */
export interface KeptIndex {
  /** Undefined where nothing says it. */
  readonly folder?: string
  readonly place: string
  /** When it was used last, in milliseconds since 1970. */
  readonly since: number
  /** The folder is not there any more. */
  readonly isOrphan: boolean
  /** Why it is not removed, whatever is asked; undefined when it may go. */
  readonly held?: string
}

/** A run looks through its folder once, at its beginning, and writes to the index only then. */
const IN_USE_MS = 3_600_000

/** Newest first. */
export function listIndexes(settings: Settings): KeptIndex[] {
  const { corpora } = homeAt(settings.home)
  const names = existsSync(corpora) ? readdirSync(corpora) : []
  return names.map((name) => describe(join(corpora, name))).sort((a, b) => b.since - a.since)
}

function describe(place: string): KeptIndex {
  const noted = join(place, FOLDER)
  const folder = existsSync(noted) ? readFileSync(noted, 'utf8') : undefined
  const since = statSync(folder === undefined ? place : noted).mtimeMs
  const isFresh = Date.now() - since < IN_USE_MS
  return {
    ...(folder === undefined ? {} : { folder }),
    ...{ place, since, isOrphan: folder !== undefined && !existsSync(folder) },
    ...(isFresh ? { held: 'it was used within the last hour' } : {}),
  }
}
