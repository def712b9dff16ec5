import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { oneLine } from '../core/clip.ts'
import type { AllowedHost } from './allow-list.ts'
import { forward } from './proxy-forward.ts'
import { openMeter, type ProxyLimits } from './proxy-meter.ts'
import { DEFAULT_ROUTING, type Routing, reach } from './proxy-route.ts'
import { isRebuff, type Rebuff, readTarget, type Target } from './proxy-target.ts'
import type { Unreached } from './unreached.ts'

export type ProxyOptions = Partial<Omit<Routing, 'allowed'>> & { readonly limits?: Partial<ProxyLimits> }

/** The one way out of one sandbox, served in Tao's own process. */
export interface NetworkProxy {
  /** Serves what is connected to this listener, until `close`. */
  serve(listener: Server): void
  /** What was asked for and not reached so far, each once. */
  readonly unreached: readonly Unreached[]
  /** Ends the listener and every connection at once. */
  close(): void
}

type Route = { readonly target: Target; readonly upstream: Socket } | Rebuff

const MAX_HEADER_BYTES = 16_384
const MOST_HEADERS = 200
const MOST_NOTES = 20
const DEFAULT_LIMITS: ProxyLimits = { connections: 64, bytes: 2 ** 30, idleTime: 60_000, totalTime: 600_000 }

/** A proxy for plain HTTP and for tunnels (CONNECT), which reaches the hosts of the list and nothing else. */
export function openProxy(allowed: readonly AllowedHost[], options: ProxyOptions = {}): NetworkProxy {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const routing: Routing = { ...DEFAULT_ROUTING, ...options, allowed }
  const notes = new Map<string, Unreached>()
  const listeners = new Set<Server>()
  const note = ({ target, why }: Unreached): void => {
    const entry = { target: plain(target, 100), why: plain(why, 200) }
    if (notes.size < MOST_NOTES) notes.set(JSON.stringify(entry), entry)
  }
  const meter = openMeter(limits, () => note({ target: 'the network', why: `${limits.bytes} bytes are the most` }))
  const server = openServer(async (request) => {
    const target = readTarget(request)
    const found = isRebuff(target) ? target : await reach(target, routing)
    if ('why' in found) note(found)
    if ('why' in found || isRebuff(target)) return found as Rebuff
    meter.leave(found)
    return { target, upstream: found }
  })
  const onConnection = (socket: Socket): void => {
    meter.enter(socket)
    socket.allowHalfOpen = true
    if (meter.inside <= limits.connections) return void server.emit('connection', socket)
    const crowded: Rebuff = {
      status: 503,
      target: 'the network',
      why: `${limits.connections} connections are the most`,
    }
    note(crowded)
    socket.end(rawAnswer(crowded))
  }
  return {
    serve(listener) {
      listeners.add(listener)
      listener.on('connection', onConnection)
    },
    get unreached() {
      return [...notes.values()]
    },
    close() {
      for (const listener of listeners) listener.close()
      meter.close()
    },
  }
}

/** Node's own strict parser: it refuses two lengths, a length beside a transfer encoding, and bare line ends. */
function openServer(route: (request: IncomingMessage) => Promise<Route>): HttpServer {
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, insecureHTTPParser: false })
  server.maxHeadersCount = MOST_HEADERS
  server.timeout = 0 // The meter has the limits of time.
  server.on('request', (request, response) => {
    answer(request, response, route).catch(() => request.socket.destroy())
  })
  server.on('connect', (request: IncomingMessage, client: Socket, head: Uint8Array) => {
    tunnel(request, client, head, route).catch(() => client.destroy())
  })
  server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'))
  return server
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  route: (request: IncomingMessage) => Promise<Route>,
): Promise<void> {
  const found = await route(request)
  if ('upstream' in found) return forward({ request, response, target: found.target }, found.upstream)
  const text = sentence(found)
  response.writeHead(found.status, headersFor(text)).end(text)
}

async function tunnel(
  request: IncomingMessage,
  client: Socket,
  head: Uint8Array,
  route: (request: IncomingMessage) => Promise<Route>,
): Promise<void> {
  client.on('error', () => {})
  const found = await route(request)
  if (!('upstream' in found)) return void client.end(rawAnswer(found))
  const { upstream } = found
  client.on('close', () => upstream.destroy())
  upstream.on('close', () => client.destroySoon())
  if (client.destroyed) return void upstream.destroy()
  client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  upstream.write(head)
  client.pipe(upstream).pipe(client)
}

/** What a command wrote is shown to the model and on terminals. */
const plain = (text: string, limit: number): string => oneLine(text, limit).replaceAll(/[^ -~…]/g, '?')

function sentence({ status, target, why }: Rebuff): string {
  const asked = plain(target, 100)
  if (status !== 403) return `Tao did not pass this on to ${asked}: ${why}.\n`
  return `Tao refused ${asked}: ${why}. What a task may reach stands under "network" in its file.\n`
}

const headersFor = (text: string) => ({
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Length': Buffer.byteLength(text),
  Connection: 'close',
})

const PHRASES = { 400: 'Bad Request', 403: 'Forbidden', 502: 'Bad Gateway', 503: 'Service Unavailable' } as const

function rawAnswer(rebuff: Rebuff): string {
  const text = sentence(rebuff)
  const lines = Object.entries(headersFor(text)).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${rebuff.status} ${PHRASES[rebuff.status]}\r\n${lines.join('')}\r\n${text}`
}
