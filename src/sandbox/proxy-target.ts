import type { IncomingMessage } from 'node:http'
import { hostName } from './allow-list.ts'

/** Where a request wants to go. */
export interface Target {
  /** As `hostName` gives it. */
  readonly host: string
  readonly port: number
  /** Path and query of a plain request; empty for a tunnel. */
  readonly path: string
}

/** Why a request is not carried out: the answer that the client gets. */
export interface Rebuff {
  readonly status: 400 | 403 | 502 | 503
  /** Half a sentence, after `HOST: `. */
  readonly why: string
  /** The host and port that were asked for, as far as they could be read. */
  readonly target: string
}

const MALFORMED = 'the request is malformed'

export const isRebuff = (value: Target | Rebuff): value is Rebuff => 'why' in value

/** Reads `CONNECT host:port`, or a plain request with a whole address. One host, said once, in a form that cannot be misread. */
export function readTarget(request: IncomingMessage): Target | Rebuff {
  const { method, url = '' } = request
  const target = method === 'CONNECT' ? readAuthority(url) : readAddress(url)
  if (isRebuff(target)) return target
  const hosts = valuesOf(request, 'host')
  const [host] = hosts
  if (hosts.length > 1) return rebuff(url, `${MALFORMED}: it names two hosts`)
  if (host !== undefined && !agrees(host, target, method === 'CONNECT'))
    return rebuff(url, `${MALFORMED}: its Host header names another host`)
  const lengths = valuesOf(request, 'content-length')
  const codings = valuesOf(request, 'transfer-encoding')
  if (lengths.length + codings.length > 1) return rebuff(url, `${MALFORMED}: its length is said twice`)
  if (codings.some((coding) => coding.trim().toLowerCase() !== 'chunked'))
    return rebuff(url, `${MALFORMED}: its transfer encoding is not known`)
  return target
}

function readAuthority(url: string): Target | Rebuff {
  const [, name = '', port = ''] = /^([^:@/\\\s[\]]+):(\d{1,5})$/.exec(url) ?? []
  return place(url, name, Number(port), '')
}

function readAddress(url: string): Target | Rebuff {
  const parts = /^http:\/\/([^/?#\\\s@:[\]]+)(?::(\d{1,5}))?(?=[/?]|$)([^#\\\s]*)$/i.exec(url)
  if (parts === null && /^https:/i.test(url)) return rebuff(url, 'for https, the client must open a tunnel (CONNECT)')
  const [, name = '', port = '80', path = ''] = parts ?? []
  return place(url, name, Number(port), path.startsWith('/') ? path : `/${path}`)
}

function place(url: string, name: string, port: number, path: string): Target | Rebuff {
  const host = hostName(name)
  if (host !== undefined && port >= 1 && port <= 65_535) return { host, port, path }
  return rebuff(url, 'only host names with a port can be reached, no addresses and no user names')
}

/** A tunnel's Host header may leave the port out, as some clients do. */
function agrees(header: string, { host, port }: Target, isTunnel: boolean): boolean {
  const [, name = '', said] = /^([^:@/\\\s]+)(?::(\d{1,5}))?$/.exec(header.trim()) ?? []
  if (hostName(name) !== host) return false
  return said === undefined ? isTunnel || port === 80 : Number(said) === port
}

const valuesOf = ({ rawHeaders }: IncomingMessage, name: string): string[] =>
  rawHeaders.flatMap((header, i) => (i % 2 === 0 && header.toLowerCase() === name ? [rawHeaders[i + 1] ?? ''] : []))

const rebuff = (url: string, why: string): Rebuff => ({ status: 400, why, target: url })
