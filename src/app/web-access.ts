import { TaoError } from '../core/error.ts'
import { didYouMean } from '../core/nearest.ts'
import { type Broker, openBroker } from '../tools/fetch/broker.ts'
import { jinaReader, ownReader, type PageReader } from '../tools/web/pages.ts'
import { openRobots } from '../tools/web/robots.ts'
import { arxiv, openAlex, type ScholarService, serperScholar } from '../tools/web/scholar-service.ts'
import { brave, type SearchService, searxng, serper, tavily } from '../tools/web/search-service.ts'
import type { Settings } from './settings.ts'

/*
 * From the environment to what the network tools are built of. The names without TAO are those of the services, or of the
 * agent that these tools come from.
 */

type KeyFor = Settings['keyFor']

/** Each service that searches, with the variable that opens it. The first that is set is used, unless TAO_SEARCH names one. */
const SEARCH_SERVICES: ReadonlyMap<
  string,
  { readonly variable: string; readonly open: (value: string) => SearchService }
> = new Map([
  ['serper', { variable: 'SERPER_KEY_ID', open: (key) => serper({ broker: openBroker(), key }) }],
  ['tavily', { variable: 'TAVILY_API_KEY', open: (key) => tavily({ broker: openBroker(), key }) }],
  ['brave', { variable: 'BRAVE_API_KEY', open: (key) => brave({ broker: openBroker(), key }) }],
  ['searxng', { variable: 'SEARXNG_URL', open: openSearxng }],
])

/** Throws a `TaoError` where no service can be used. */
export function searchServiceFrom({ keyFor }: Settings): SearchService {
  const wished = keyFor('TAO_SEARCH')
  const known = [...SEARCH_SERVICES.keys()]
  if (wished !== undefined && !known.includes(wished))
    throw new TaoError('search', `TAO_SEARCH is "${wished}". ${didYouMean(wished, known)}`, {
      fix: `Use: ${known.join(', ')}.`,
    })
  for (const [name, { variable, open }] of SEARCH_SERVICES) {
    const value = keyFor(variable)
    if (value !== undefined && (wished === undefined || wished === name)) return open(value)
  }
  const variables = [...SEARCH_SERVICES].flatMap(([name, { variable }]) =>
    (wished ?? name) === name ? [variable] : [],
  )
  throw new TaoError('search', 'The tool search needs a service to search with, and none is set.', {
    fix: `Set ${variables.join(', or ')}. SEARXNG_URL is the address of a SearXNG of your own and needs no key. Or search documents of your own: --corpus DIR.`,
  })
}

/** A server of one's own may be at any address, this machine's too: that address alone is then allowed. */
function openSearxng(address: string): SearchService {
  const { origin, pathname } = addressIn('SEARXNG_URL', address)
  const broker = openBroker({ allowed: [origin] })
  return searxng({ broker, baseUrl: `${origin}${pathname.replace(/\/+$/, '')}` })
}

/** With a key of Serper that alone; without, what needs no key. */
export function scholarServicesFrom({ keyFor }: Settings): readonly ScholarService[] {
  const broker = openBroker()
  const serperKey = keyFor('SERPER_KEY_ID')
  if (serperKey !== undefined) return [serperScholar({ broker, key: serperKey })]
  const key = keyFor('OPENALEX_API_KEY')
  return [openAlex({ broker, ...(key === undefined ? {} : { key }) }), arxiv({ broker })]
}

/** Our own reader, behind Jina's where a key for it is set. Throws a `TaoError` for a setting that cannot be read. */
export function pageReaderFrom({ keyFor }: Settings): PageReader {
  const broker = pageBroker(keyFor)
  const own = ownReader({ broker, ...(isOn(keyFor, 'TAO_FETCH_IGNORE_ROBOTS') ? {} : { robots: openRobots(broker) }) })
  const [key] = listIn(keyFor, 'JINA_API_KEYS')
  return key === undefined ? own : jinaReader({ broker: openBroker(), key }, own)
}

function pageBroker(keyFor: KeyFor): Broker {
  const ports = listIn(keyFor, 'TAO_FETCH_PORTS').map((text) => {
    const port = Number(text)
    if (Number.isInteger(port) && port > 0 && port < 65_536) return port
    throw new TaoError('fetch', `TAO_FETCH_PORTS holds "${text}", which is no port.`, {
      fix: 'Write it like 8443,9443.',
    })
  })
  const allowed = listIn(keyFor, 'TAO_FETCH_ALLOW').map((text) => addressIn('TAO_FETCH_ALLOW', text).origin)
  return openBroker({ http: isOn(keyFor, 'TAO_FETCH_HTTP'), ports, allowed })
}

const listIn = (keyFor: KeyFor, variable: string): string[] =>
  (keyFor(variable) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

const isOn = (keyFor: KeyFor, variable: string): boolean => (keyFor(variable) ?? '0') !== '0'

function addressIn(variable: string, text: string): URL {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '') return url
  throw new TaoError('fetch', `${variable} holds "${text}", which is no web address.`, {
    fix: 'Write it like http://127.0.0.1:8888.',
  })
}
