import { readDocument } from '../document/document.ts'
import type { ReadableText } from '../document/reading.ts'
import { readAddress } from '../fetch/address.ts'
import type { Broker } from '../fetch/broker.ts'
import { FetchError } from '../fetch/fetch-error.ts'
import type { Robots } from './robots.ts'
import { askService, type ServiceAccess, ServiceError } from './service.ts'

/** A page as text. */
export interface Page extends ReadableText {
  /** Where it was found in the end. */
  readonly url: string
}

/** Reads pages. Rejects with an error whose message is a sentence for the model, or with the signal's reason. */
export interface PageReader {
  /** True when it reads documents of this machine: then nothing is sent anywhere. */
  readonly isLocal?: boolean
  /** `mayLeave`: whether a redirect to another site is followed. Default: it is. */
  read(url: string, signal: AbortSignal, mayLeave?: MayLeave): Promise<Page>
}

export type MayLeave = (url: URL) => Promise<boolean>

export interface OwnReaderOptions {
  readonly broker: Broker
  /** Default: nobody is asked. */
  readonly robots?: Robots
}

/** Fetches and reads pages, PDFs and texts by ourselves. */
export const ownReader = ({ broker, robots }: OwnReaderOptions): PageReader => ({
  async read(url, signal, mayLeave) {
    const objection = robots && ((hop: URL) => robots.objection(hop, signal))
    const asked = { url, ...(objection && { objection }), ...(mayLeave && { mayLeave }) }
    const fetched = await broker.fetch(asked, signal)
    const { status, headers, bytes } = fetched
    if (status < 200 || status >= 300)
      throw new FetchError('unreadable', `The server answered with HTTP status ${status}${MEANINGS.get(status) ?? ''}.`)
    const contentType = headers['content-type']
    const source = { bytes, url: fetched.url, ...(contentType === undefined ? {} : { contentType }) }
    return { url: fetched.url, ...(await readDocument(source, signal)) }
  },
})

const MEANINGS: ReadonlyMap<number, string> = new Map([
  [401, ': it wants a login'],
  [403, ': it does not let programs in'],
  [404, ': there is no such page'],
  [410, ': the page is gone'],
  [429, ': too many requests'],
])

const JINA = 'https://r.jina.ai'
const JINA_TIME = 50_000
/** Three attempts, as in the original. */
const JINA_WAITS = [500, 500]
const PUBLIC = { http: true, ports: [], allowed: [] }

/**
 * Lets Jina's reader fetch and read; it runs the scripts of a page. What it cannot give is read by another reader, and so is
 * every page where redirects are decided on: nobody could ask it where it is led to. It is told addresses of public hosts only.
 */
export function jinaReader(access: ServiceAccess, otherwise: PageReader): PageReader {
  const { baseUrl = JINA, key = '' } = access
  const patient = { ...access, retry: { waits: JINA_WAITS, ...access.retry } }
  return {
    async read(url, signal, mayLeave) {
      if (mayLeave !== undefined) return await otherwise.read(url, signal, mayLeave)
      const { href } = readAddress(url, PUBLIC)
      const headers = { authorization: `Bearer ${key}`, accept: 'text/plain' }
      try {
        const request = { url: `${baseUrl}/${href}`, headers, limits: { total: JINA_TIME, firstByte: JINA_TIME } }
        const text = Buffer.from((await askService(request, patient, signal)).bytes)
          .toString()
          .trim()
        if (text !== '') return { url: href, text }
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
      }
      return await otherwise.read(url, signal)
    },
  }
}
