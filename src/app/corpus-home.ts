import { hash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describeError, TaoError } from '../core/error.ts'
import { type Corpus, openCorpus } from '../tools/corpus/corpus.ts'
import { openHome } from './home.ts'
import type { Settings } from './settings.ts'

/**
 * A folder of documents whose index is kept in the state directory, for the next run too. Throws a `TaoError` for a folder
 * that is not there, and for an index that cannot be used.
 */
export function openCorpusIn(folder: string, settings: Settings): Corpus {
  const indexFile = `${openHome(settings.home).path}/corpora/${hash('sha256', folder).slice(0, 16)}.sqlite`
  mkdirSync(dirname(indexFile), { recursive: true, mode: 0o700 })
  try {
    return openCorpus({ folder, indexFile })
  } catch (error) {
    if (error instanceof TaoError) throw error
    throw new TaoError('corpus', `The index of ${folder} cannot be used: ${describeError(error)}`, {
      fix: `Remove ${indexFile}: it is made anew.`,
      cause: error,
    })
  }
}
