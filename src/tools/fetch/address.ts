import { hostName } from '../../sandbox/allow-list.ts'
import { FetchError } from './fetch-error.ts'

/** Which addresses may be fetched at all, before any name is looked up. */
export interface AddressRules {
  /** Whether plain http may be used. */
  readonly http: boolean
  /** Ports beside the usual one of the scheme. */
  readonly ports: readonly number[]
  /** Origins that the operator vouches for, such as `http://127.0.0.1:8888`: for them no other rule holds. */
  readonly allowed: readonly string[]
}

const LONGEST = 4_096

/**
 * Reads an address with the platform's parser, which undoes every disguise of a host (other bases, other digits, percent
 * signs), and refuses what leads anywhere but to a public host by its name. Throws a `FetchError` that says what to write.
 */
export function readAddress(text: string, rules: AddressRules, from?: URL): URL {
  const url = parse(text, from)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(text, `only https addresses can be fetched, not ${url.protocol.slice(0, 20)}`)
  if (url.username !== '' || url.password !== '') throw refused(text, 'it holds a user name or a password')
  url.hash = ''
  if (isAllowed(url, rules)) return url
  if (url.protocol === 'http:' && !rules.http) throw refused(text, 'plain http is not allowed; try it with https://')
  if (url.port !== '' && !rules.ports.includes(Number(url.port))) throw refused(text, `port ${url.port} is not allowed`)
  const host = hostName(url.hostname)
  if (host === undefined) throw refused(text, 'only hosts can be fetched by their name, no numeric addresses')
  if (!host.includes('.')) throw refused(text, `"${host}" is a name of the local network`)
  url.hostname = host
  return url
}

/** True where the same people answer: the same host, with or without "www.", over http or https. */
export const isSameSite = (one: URL, other: URL): boolean => siteOf(one) === siteOf(other)

const siteOf = ({ host }: URL): string => host.replace(/^www\./, '')

/** True for an origin that the operator vouches for. */
export const isAllowed = ({ origin }: URL, { allowed }: AddressRules): boolean => allowed.includes(origin)

function parse(text: string, from: URL | undefined): URL {
  if (text.length > LONGEST) throw refused(text, `it has ${text.length} characters; ${LONGEST} are the most`)
  const url = URL.parse(text.trim(), from?.href)
  if (url === null) throw refused(text, 'it is no whole address, such as https://example.org/page')
  return url
}

const refused = (text: string, why: string): FetchError =>
  new FetchError('refused', `${text.trim().slice(0, 200)} cannot be fetched: ${why}.`)
