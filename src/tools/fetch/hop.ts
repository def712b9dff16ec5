import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import type { buildConnector, Client } from 'undici'
import { FetchError } from './fetch-error.ts'

/** One request to one host. */
export interface HopRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The addresses that were checked; the connection goes to one of them. */
  readonly addresses: readonly string[]
  /** Why an address is refused, as half a sentence; asked again of the one that was reached. */
  readonly whyRefused: (address: string) => string | undefined
  readonly signal: AbortSignal
}

/** An answer whose body has not been read. Disposing it closes the connection. */
export interface Hop extends AsyncDisposable {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readable
}

/** Over a connection of its own, to an address that was checked: no pool, no cookies, no proxy of the environment. */
export async function takeHop(request: HopRequest): Promise<Hop> {
  const undici = await import('undici')
  const connect = pinned(undici.buildConnector, request)
  const client = new undici.Client(request.url.origin, { connect, headersTimeout: 0, bodyTimeout: 0 })
  try {
    const { statusCode, headers, body } = await ask(client, request)
    return { status: statusCode, headers, body, [Symbol.asyncDispose]: () => client.destroy() }
  } catch (error) {
    await client.destroy()
    throw error
  }
}

function ask(client: Client, { url, method, headers, body, signal }: HopRequest) {
  const sent = body === undefined ? {} : { body }
  return client.request({ path: url.pathname + url.search, method, headers, signal, ...sent })
}

/** Answers the look-up with what was checked, and looks again at where the socket has ended up. */
function pinned(build: typeof buildConnector, { addresses, whyRefused, signal }: HopRequest): buildConnector.connector {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_host, _options, callback) => callback(null, found)
  // Every limit of time is kept by the signal. With all addresses given, Node tries one after the other.
  const connect = build({ lookup, timeout: 0, autoSelectFamily: true } as buildConnector.BuildOptions)
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (socket === null) return callback(error, null)
      const reached = socket.remoteAddress ?? ''
      const refused = signal.aborted ? 'no longer wanted' : whyRefused(reached)
      if (refused === undefined) return callback(null, socket)
      socket.destroy()
      callback(new FetchError('refused', `The connection ended at ${reached}, which is ${refused}.`), null)
    })
}
