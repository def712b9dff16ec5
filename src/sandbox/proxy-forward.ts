import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Target } from './proxy-target.ts'

/** Headers of one connection, not of the message. */
const HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
])

/** Never taken away by a `Connection` header: they say where the message goes and where it ends. */
const FRAMING = new Set(['host', 'content-length'])

const MAX_HEADER_BYTES = 16_384

/** Carries one plain request over a connection of its own, and its answer back. Resolves when both are over. */
export function forward(
  { request, response, target }: { request: IncomingMessage; response: ServerResponse; target: Target },
  upstream: Socket,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const isChunked = request.headers['transfer-encoding'] !== undefined
  const outgoing = httpRequest({
    // Without an agent: one would connect by itself, to wherever the options say.
    createConnection: () => upstream,
    method: request.method ?? 'GET',
    path: target.path,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: [
      ...['Host', target.port === 80 ? target.host : `${target.host}:${target.port}`],
      ...passedOn(request).filter((_, i, all) => all[i - (i % 2)]?.toLowerCase() !== 'host'),
      ...['Connection', 'close'],
      ...(isChunked ? ['Transfer-Encoding', 'chunked'] : []),
    ],
  })
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedOn(answer))
    answer.on('error', reject).pipe(response)
  })
  outgoing.on('error', reject)
  response.on('close', () => {
    upstream.destroy()
    resolve()
  })
  request.on('error', reject).pipe(outgoing)
  return promise
}

/** Names and values in turn, as they came, without those of the connection. */
function passedOn({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const dropped = new Set([...HOP, ...named.filter((name) => !FRAMING.has(name))])
  return rawHeaders.filter((_, i) => !dropped.has(rawHeaders[i - (i % 2)]?.toLowerCase() ?? ''))
}
