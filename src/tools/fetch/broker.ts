import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { untilAborted } from '../../core/deadline.ts'
import { describeError } from '../../core/error.ts'
import { DEFAULT_ROUTING } from '../../sandbox/proxy-route.ts'
import { type AddressRules, isAllowed, isSameSite, readAddress } from './address.ts'
import { ACCEPTED_ENCODINGS, readBody } from './body.ts'
import { FetchError } from './fetch-error.ts'
import { DEFAULT_FETCH_LIMITS, type FetchLimits, type Watch, watch } from './fetch-limits.ts'
import { type HopRequest, takeHop } from './hop.ts'

/** What every network tool fetches with: to public hosts only, within limits, without cookies and keys of its own. */
export interface Broker {
  /** Any HTTP status is an answer. Rejects with a `FetchError`, or with the signal's reason when it is aborted. */
  fetch(request: FetchRequest, signal: AbortSignal): Promise<Fetched>
}

export interface FetchRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, with POST. */
  readonly json?: object
  /** Over the broker's own. A request with `headers` or `json` follows no redirect: what it carries is for one host. */
  readonly limits?: Partial<FetchLimits>
  /** Asked before each hop: why it is not taken, as a whole sentence. */
  readonly objection?: (url: URL) => Promise<string | undefined>
  /** Asked before a redirect to another site: whether it is followed. Default: it is. */
  readonly mayLeave?: (url: URL) => Promise<boolean>
}

export interface Fetched {
  /** Where it was found in the end. */
  readonly url: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Decompressed. */
  readonly bytes: Uint8Array
}

export interface BrokerOptions extends Partial<AddressRules> {
  readonly limits?: Partial<FetchLimits>
  /** All addresses of a name; asked once for each hop. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  /** Why an address is refused, as half a sentence. Default: unless it is public. */
  readonly whyRefused?: (address: string) => string | undefined
}

/** How Tao names itself to servers, and is named in robots.txt. */
export const USER_AGENT = 'tao-agent'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

export function openBroker(options: BrokerOptions = {}): Broker {
  const routing: Routing = {
    rules: { http: options.http ?? false, ports: options.ports ?? [], allowed: options.allowed ?? [] },
    resolve: options.resolve ?? DEFAULT_ROUTING.resolve,
    whyRefused: options.whyRefused ?? DEFAULT_ROUTING.whyRefused,
  }
  return {
    async fetch(request, signal) {
      signal.throwIfAborted()
      const carries = request.headers !== undefined || request.json !== undefined
      const limits = { ...DEFAULT_FETCH_LIMITS, ...options.limits, ...request.limits }
      using time = watch(limits, signal)
      const journey: Journey = { routing, request, limits: carries ? { ...limits, redirects: 0 } : limits, time }
      try {
        return await follow(journey)
      } catch (error) {
        throw explain(error, request.url, time.signal)
      }
    },
  }
}

interface Routing extends Required<Pick<BrokerOptions, 'resolve' | 'whyRefused'>> {
  readonly rules: AddressRules
}

interface Journey {
  readonly routing: Routing
  readonly request: FetchRequest
  readonly limits: FetchLimits
  readonly time: Watch
}

/** Each hop is checked like the first one. */
async function follow(journey: Journey): Promise<Fetched> {
  const { routing, request, limits, time } = journey
  let url = readAddress(request.url, routing.rules)
  for (let redirects = 0; ; redirects++) {
    const objection = await request.objection?.(url)
    if (objection !== undefined) throw new FetchError('refused', objection)
    time.enter('firstByte')
    await using hop = await takeHop(await prepare(url, journey))
    time.enter('idle')
    const location = hop.headers.location
    if (!REDIRECTS.has(hop.status) || typeof location !== 'string') {
      const encoding = hop.headers['content-encoding']?.toString()
      const onPiece = () => time.enter('idle')
      const bytes = await readBody(hop.body, { encoding, limits, signal: time.signal, onPiece })
      return { url: url.href, status: hop.status, headers: hop.headers as IncomingHttpHeaders, bytes }
    }
    if (redirects >= limits.redirects)
      throw new FetchError('limit', `${url.href} redirects further; ${limits.redirects} redirects are the most.`)
    const next = readAddress(location, routing.rules, url)
    await expectMayLeave(url, next, request)
    url = next
  }
}

/** A redirect within a site tells nobody new what was asked for. */
async function expectMayLeave(from: URL, to: URL, { mayLeave }: FetchRequest): Promise<void> {
  if (mayLeave === undefined || isSameSite(from, to) || (await mayLeave(to))) return
  const message = `${from.href} redirects to another site, which was not followed. Ask for ${to.href} itself if you want it.`
  throw new FetchError('refused', message)
}

async function prepare(url: URL, { routing, request, time }: Journey): Promise<HopRequest> {
  const { json, headers } = request
  const whyRefused = isAllowed(url, routing.rules) ? () => undefined : routing.whyRefused
  const addresses = await untilAborted(addressesOf(url, routing.resolve), time.signal)
  for (const address of addresses) {
    const why = whyRefused(address)
    if (why !== undefined) throw new FetchError('refused', `${url.host} leads to ${address}, which is ${why}.`)
  }
  return {
    url,
    method: json === undefined ? 'GET' : 'POST',
    headers: {
      'user-agent': USER_AGENT,
      accept: 'text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5',
      'accept-encoding': ACCEPTED_ENCODINGS,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    addresses,
    whyRefused,
    signal: time.signal,
  }
}

/** A numeric address gets here only where the operator vouches for it. */
async function addressesOf({ hostname }: URL, resolve: Routing['resolve']): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(literal) === 0 ? await resolve(hostname) : [literal]
  if (addresses.length === 0) throw new FetchError('unreachable', `${hostname} has no address.`)
  return addresses
}

/** Whatever broke because time was up or the caller gave up is told as that. */
function explain(error: unknown, url: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof FetchError) return error
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  // Without the query: it may hold a key.
  const host = URL.parse(url)?.host ?? 'The address'
  const message = `${host} could not be reached: ${describeError(error)}${code}`
  return new FetchError('unreachable', message, error)
}
