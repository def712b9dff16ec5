import { type Locale, localeOf } from './locale.ts'
import { listAt, textAt } from './loose.ts'
import { askJson, type ServiceAccess } from './service.ts'

/** One result of a search. */
export interface Hit {
  readonly title: string
  readonly link: string
  readonly snippet?: string
  /** As the service writes it. */
  readonly date?: string
  readonly source?: string
}

/** Searches the web. Rejects with a `ServiceError`, or with the signal's reason. An empty list: nothing was found. */
export interface SearchService {
  readonly name: string
  /** True when it searches documents of this machine: then nothing is sent anywhere. */
  readonly isLocal?: boolean
  search(query: string, signal: AbortSignal): Promise<readonly Hit[]>
}

/** Where each service is, unless an address is given. SearXNG is at an address of one's own. */
const SERPER = 'https://google.serper.dev'
const TAVILY = 'https://api.tavily.com'
const BRAVE = 'https://api.search.brave.com'

/** As many results as Serper gives when it is not told. */
const RESULTS = 10

export function serper(access: ServiceAccess): SearchService {
  const { baseUrl = SERPER, key = '' } = access
  return {
    name: 'Serper',
    async search(query, signal) {
      const { country, place, language } = localeOf(query)
      const json = { q: query, location: place, gl: country, hl: language }
      const answer = await askJson({ url: `${baseUrl}/search`, headers: { 'x-api-key': key }, json }, access, signal)
      return hitsIn(listAt(answer, 'organic'), {
        link: ['link'],
        snippet: ['snippet'],
        date: ['date'],
        source: ['source'],
      })
    },
  }
}

export function tavily(access: ServiceAccess): SearchService {
  const { baseUrl = TAVILY, key = '' } = access
  return {
    name: 'Tavily',
    async search(query, signal) {
      const { language, place } = localeOf(query)
      const json = { query, max_results: RESULTS, ...(language === 'en' ? {} : { country: place.toLowerCase() }) }
      const headers = { authorization: `Bearer ${key}` }
      const answer = await askJson({ url: `${baseUrl}/search`, headers, json }, access, signal)
      return hitsIn(listAt(answer, 'results'), { link: ['url'], snippet: ['content'], date: ['published_date'] })
    },
  }
}

/** Brave has names of its own for two languages. */
const BRAVE_LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['zh-cn', 'zh-hans'],
  ['ja', 'jp'],
])

export function brave(access: ServiceAccess): SearchService {
  const { baseUrl = BRAVE, key = '' } = access
  return {
    name: 'Brave',
    async search(query, signal) {
      const { country, language }: Locale = localeOf(query)
      const wish = { q: query, count: `${RESULTS}`, country, text_decorations: 'false' }
      const search = new URLSearchParams({ ...wish, search_lang: BRAVE_LANGUAGES.get(language) ?? language })
      const headers = { 'x-subscription-token': key, accept: 'application/json' }
      const answer = await askJson({ url: `${baseUrl}/res/v1/web/search?${search}`, headers }, access, signal)
      const fields = { link: ['url'], snippet: ['description'], date: ['page_age'], source: ['profile', 'name'] }
      return hitsIn(listAt(answer, 'web', 'results'), fields)
    },
  }
}

export function searxng(access: ServiceAccess & { readonly baseUrl: string }): SearchService {
  const { baseUrl } = access
  return {
    name: 'SearXNG',
    async search(query, signal) {
      const { language } = localeOf(query)
      const search = new URLSearchParams({
        q: query,
        format: 'json',
        language: language === 'zh-cn' ? 'zh-CN' : language,
      })
      const headers = { accept: 'application/json' }
      const answer = await askJson({ url: `${baseUrl}/search?${search}`, headers }, access, signal)
      const fields = { link: ['url'], snippet: ['content'], date: ['publishedDate'], source: ['engine'] }
      return hitsIn(listAt(answer, 'results'), fields).slice(0, RESULTS)
    },
  }
}

/** Where the parts of a hit stand in a service's answer. */
interface Fields {
  readonly link: readonly string[]
  readonly snippet: readonly string[]
  readonly date?: readonly string[]
  readonly source?: readonly string[]
}

/** Results without an address are none. */
function hitsIn(results: readonly unknown[], fields: Fields): Hit[] {
  return results.flatMap((result) => {
    const link = textAt(result, ...fields.link)
    if (link === undefined) return []
    const part = (name: 'snippet' | 'date' | 'source') => {
      const found = fields[name] && textAt(result, ...fields[name])
      return found === undefined ? {} : { [name]: found }
    }
    return [{ title: textAt(result, 'title') ?? link, link, ...part('snippet'), ...part('date'), ...part('source') }]
  })
}
