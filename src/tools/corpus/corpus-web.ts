import { excerpt } from '../web/excerpt.ts'
import type { PageReader } from '../web/pages.ts'
import type { SearchService } from '../web/search-service.ts'
import type { Corpus } from './corpus.ts'

const SNIPPET = 320

/** Searches a folder of documents in place of the web. */
export const corpusSearch = (corpus: Corpus): SearchService => ({
  name: 'local documents',
  isLocal: true,
  async search(query, signal) {
    const found = await corpus.search(query, signal)
    return found.map(({ address, title, text }) => ({
      ...{ title, link: address },
      snippet: excerpt(text, query, SNIPPET).replaceAll(/\s*\[…\]\s*/g, ' … '),
    }))
  },
})

/** Reads what such a search found. No other address is read. */
export const corpusPages = (corpus: Corpus): PageReader => ({
  isLocal: true,
  async read(url, signal) {
    const { address, title, text } = await corpus.read(url, signal)
    return { url: address, title, text }
  },
})
