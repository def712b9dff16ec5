import { listAt, textAt } from './loose.ts'
import { askJson, askService, type ServiceAccess } from './service.ts'

/** One work of science. What a service does not know is left out. */
export interface Work {
  readonly title: string
  readonly link?: string
  readonly pdf?: string
  /** Authors, journal, publisher: as the service writes it. */
  readonly published?: string
  readonly year?: string
  readonly citedBy?: string
  readonly snippet?: string
}

/** Searches works of science. Rejects with a `ServiceError`, or with the signal's reason. */
export interface ScholarService {
  readonly name: string
  search(query: string, signal: AbortSignal): Promise<readonly Work[]>
}

const SERPER = 'https://google.serper.dev'
const OPENALEX = 'https://api.openalex.org'
const ARXIV = 'https://export.arxiv.org'
const RESULTS = 10

export function serperScholar(access: ServiceAccess): ScholarService {
  const { baseUrl = SERPER, key = '' } = access
  return {
    name: 'Google Scholar by Serper',
    async search(query, signal) {
      const headers = { 'x-api-key': key }
      const answer = await askJson({ url: `${baseUrl}/scholar`, headers, json: { q: query } }, access, signal)
      return listAt(answer, 'organic').flatMap((work) =>
        workOf({
          title: textAt(work, 'title'),
          link: textAt(work, 'link'),
          pdf: textAt(work, 'pdfUrl'),
          published: textAt(work, 'publicationInfo'),
          year: textAt(work, 'year'),
          citedBy: textAt(work, 'citedBy'),
          snippet: textAt(work, 'snippet'),
        }),
      )
    },
  }
}

/** Works without a key, for a few searches a day; a key is free and allows a thousand. */
export function openAlex(access: ServiceAccess): ScholarService {
  const { baseUrl = OPENALEX, key } = access
  return {
    name: 'OpenAlex',
    async search(query, signal) {
      const words = plainWords(query)
      const search = new URLSearchParams({
        search: words,
        per_page: `${RESULTS}`,
        ...(key === undefined ? {} : { api_key: key }),
      })
      const headers = { accept: 'application/json' }
      const answer = await askJson({ url: `${baseUrl}/works?${search}`, headers }, access, signal)
      return listAt(answer, 'results').flatMap((work) =>
        workOf({
          title: textAt(work, 'display_name'),
          link: textAt(work, 'doi') ?? textAt(work, 'primary_location', 'landing_page_url') ?? textAt(work, 'id'),
          pdf: textAt(work, 'best_oa_location', 'pdf_url'),
          published: listed([...authorsIn(work), textAt(work, 'primary_location', 'source', 'display_name')]),
          year: textAt(work, 'publication_year'),
          citedBy: textAt(work, 'cited_by_count'),
          snippet: abstractOf(work),
        }),
      )
    },
  }
}

export function arxiv(access: ServiceAccess): ScholarService {
  const { baseUrl = ARXIV } = access
  return {
    name: 'arXiv',
    async search(query, signal) {
      const words = plainWords(query)
      const search = new URLSearchParams({ search_query: `all:${words}`, max_results: `${RESULTS}` })
      const { bytes } = await askService({ url: `${baseUrl}/api/query?${search}` }, access, signal)
      return await worksInFeed(Buffer.from(bytes).toString())
    },
  }
}

/** Both services have operators of their own, which a question in plain words does not mean. */
const plainWords = (query: string): string => query.replaceAll(/[^\p{L}\p{N}\p{M}-]+/gu, ' ').trim()

/** What of the DOM is used here. */
interface Entry {
  readonly textContent: string
  getAttribute(name: string): string | null
  querySelectorAll(selector: string): Iterable<Entry>
}

async function worksInFeed(xml: string): Promise<Work[]> {
  const { DOMParser } = await import('linkedom')
  const feed = new DOMParser().parseFromString(xml, 'text/xml') as unknown as Entry
  return [...feed.querySelectorAll('entry')].flatMap((entry) => {
    const texts = (selector: string) =>
      [...entry.querySelectorAll(selector)].map(({ textContent }) => textContent.trim())
    const link = texts('id')[0]
    const pdf = [...entry.querySelectorAll('link')].find((each) => each.getAttribute('title') === 'pdf')
    return workOf({
      title: texts('title')[0],
      link,
      pdf: pdf?.getAttribute('href') ?? undefined,
      published: listed([...texts('author name').slice(0, MOST_AUTHORS), 'arXiv']),
      year: texts('published')[0]?.slice(0, 4),
      snippet: texts('summary')[0],
    })
  })
}

const MOST_AUTHORS = 5

const authorsIn = (work: unknown): (string | undefined)[] =>
  listAt(work, 'authorships')
    .slice(0, MOST_AUTHORS)
    .map((each) => textAt(each, 'author', 'display_name'))

function listed(parts: readonly (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined)
  return known.length === 0 ? undefined : known.join(', ')
}

/** OpenAlex gives an abstract as its words, each with the places it stands at. */
function abstractOf(work: unknown): string | undefined {
  const index =
    typeof work === 'object' && work !== null && 'abstract_inverted_index' in work ? work.abstract_inverted_index : null
  if (typeof index !== 'object' || index === null) return undefined
  const words = Object.entries(index).flatMap(([word, places]: [string, unknown]) =>
    Array.isArray(places) ? places.map((place) => ({ word, place: Number(place) })) : [],
  )
  return words.length === 0
    ? undefined
    : words
        .sort((a, b) => a.place - b.place)
        .map(({ word }) => word)
        .join(' ')
}

type Found = { readonly [K in keyof Work]?: string | undefined }

/** None without a title. */
function workOf({ title, ...rest }: Found): Work[] {
  if (title === undefined) return []
  const known = Object.entries(rest).filter(([, value]) => value !== undefined && value !== '')
  return [{ title, ...(Object.fromEntries(known) as Omit<Work, 'title'>) }]
}
