import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { TaoError } from '../core/error.ts'

/** One entry of a task's `network`: a host, or everything below it, at some ports. */
export interface AllowedHost {
  /** As the user wrote it. */
  readonly written: string
  /** ASCII, lower case, without a closing dot. */
  readonly name: string
  /** True for `*.name`: any host below it, at any depth, and not itself. */
  readonly below: boolean
  readonly ports: readonly number[]
}

const DEFAULT_PORTS: readonly number[] = [80, 443]

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
/** A name that ends so is read as an IPv4 address by some programs: `127.1`, `0x7f.0x1`. */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/

/**
 * The one form of a host name that is compared and looked up: ASCII, lower case, no closing dot. Undefined for addresses in
 * any spelling and for what is no name.
 */
export function hostName(text: string): string | undefined {
  if (!/^[\p{L}\p{N}\p{M}._-]+$/u.test(text)) return undefined
  const name = domainToASCII(text).toLowerCase().replace(/\.$/, '')
  const labels = name.split('.')
  if (name.length > 253 || isIP(name) !== 0 || NUMBER.test(labels.at(-1) ?? '')) return undefined
  return labels.every((label) => LABEL.test(label)) ? name : undefined
}

export type AllowedHostReading =
  | { readonly ok: true; readonly host: AllowedHost }
  /** What is wrong, as half a sentence that follows the entry: `"x" …`. */
  | { readonly ok: false; readonly problem: string }

/** Reads `name`, `*.name`, `name:port` or `*.name:port`. */
export function readAllowedHost(written: string): AllowedHostReading {
  const text = written.trim()
  const problem = misuse(text)
  if (problem !== undefined) return { ok: false, problem }
  const [, star, label = '', port] = /^(\*\.)?([^:]*)(?::(\d+))?$/.exec(text) ?? []
  const name = hostName(label)
  if (name === undefined) return { ok: false, problem: `is no host name: write one such as registry.example` }
  if (name === 'localhost' || name.endsWith('.localhost'))
    return { ok: false, problem: 'is this machine itself, which no task may reach' }
  if (star !== undefined && !name.includes('.'))
    return { ok: false, problem: `is too wide: name at least two parts, such as *.example.${name}` }
  const ports = port === undefined ? DEFAULT_PORTS : [Number(port)]
  if (ports.some((each) => each < 1 || each > 65_535))
    return { ok: false, problem: 'has a port that is not between 1 and 65535' }
  return { ok: true, host: { written: text, name, below: star !== undefined, ports } }
}

function misuse(text: string): string | undefined {
  if (text.includes('://')) return 'has a scheme: write the name only, without "https://"'
  if (/[/?#\\]/.test(text)) return 'has a path: write the name only'
  if (text.includes('@')) return 'has a user name: write the name only'
  if (isIP(text.replace(/^\[|\](?::\d+)?$/g, '')) !== 0 || isIP(text.replace(/:\d+$/, '')) !== 0)
    return 'is an address: name the host instead'
  if (text.replace(/^\*\./, '').includes('*')) return 'has a "*" that is not the whole first part, as in *.example.org'
  if (/:/.test(text) && !/:\d+$/.test(text)) return 'has a port that is no number'
  return undefined
}

/** Throws a `TaoError` that names the entry which cannot be used. */
export function readAllowList(entries: readonly string[]): AllowedHost[] {
  return entries.map((written) => {
    const reading = readAllowedHost(written)
    if (reading.ok) return reading.host
    throw new TaoError('network', `"${written}" in "network" ${reading.problem}.`, {
      fix: 'Write host names: network: [registry.example, "*.example.org", "host.example:8443"]',
    })
  })
}

/** Why the list does not allow this host and port, as half a sentence; undefined when it does. `host` as `hostName` gives it. */
export function whyNotAllowed(list: readonly AllowedHost[], host: string, port: number): string | undefined {
  const matching = list.filter(({ name, below }) => (below ? host.endsWith(`.${name}`) : host === name))
  if (matching.some(({ ports }) => ports.includes(port))) return undefined
  if (matching.length === 0) return 'it is not in the "network" list of the task'
  const ports = [...new Set(matching.flatMap((entry) => entry.ports))].sort((a, b) => a - b)
  return `the "network" list of the task allows this host at port ${ports.join(' and ')} only`
}
