import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { describeError } from '../core/error.ts'
import { type AllowedHost, whyNotAllowed } from './allow-list.ts'
import { whyNotPublic } from './network-address.ts'
import type { Rebuff, Target } from './proxy-target.ts'

/** What decides where the proxy goes. */
export interface Routing {
  readonly allowed: readonly AllowedHost[]
  /** Gives all addresses of a name. Asked once for each request. */
  readonly resolve: (host: string) => Promise<readonly string[]>
  /** Why an address is refused; undefined when it is not. */
  readonly whyRefused: (address: string) => string | undefined
  /** Milliseconds for the look-up, and for each attempt to connect. */
  readonly connectTime: number
}

const MOST_ATTEMPTS = 4

export const DEFAULT_ROUTING: Omit<Routing, 'allowed'> = {
  resolve: lookUp,
  whyRefused: whyNotPublic,
  connectTime: 10_000,
}

/** Node looks names up on the few threads that it also reads files on: a crowd of names must not hold up the rest of Tao. */
const LOOKUPS_AT_ONCE = 2
const waiting: (() => void)[] = []
let lookups = 0

async function lookUp(host: string): Promise<readonly string[]> {
  if (lookups >= LOOKUPS_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  lookups += 1
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } finally {
    lookups -= 1
    waiting.shift()?.()
  }
}

/**
 * Checks name, port and every address, and connects to one of the addresses that were checked: the name is not looked up
 * again, so a second answer cannot lead elsewhere.
 */
export async function reach({ host, port }: Target, routing: Routing): Promise<Socket | Rebuff> {
  const target = `${host}:${port}`
  const denied = whyNotAllowed(routing.allowed, host, port)
  if (denied !== undefined) return { status: 403, why: denied, target }
  let addresses: readonly string[]
  try {
    addresses = await within(routing.resolve(host), routing.connectTime)
  } catch (error) {
    return { status: 502, why: `its name could not be looked up: ${describeError(error)}`, target }
  }
  if (addresses.length === 0) return { status: 502, why: 'it has no address', target }
  for (const address of addresses) {
    const refused = routing.whyRefused(address)
    if (refused !== undefined) return { status: 403, why: `its name leads to ${address}, which is ${refused}`, target }
  }
  let problem = ''
  for (const address of addresses.slice(0, MOST_ATTEMPTS)) {
    try {
      return await connected(address, port, routing.connectTime)
    } catch (error) {
      problem = describeError(error)
    }
  }
  return { status: 502, why: `it could not be reached: ${problem}`, target }
}

function connected(host: string, port: number, atMost: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ host, port, allowHalfOpen: true })
  const timer = setTimeout(() => socket.destroy(tooLate(atMost)), atMost)
  socket.once('connect', () => resolve(socket)).on('error', reject)
  return promise.finally(() => clearTimeout(timer))
}

function within<T>(promise: Promise<T>, atMost: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooLate(atMost)), atMost)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

const tooLate = (ms: number): Error => new Error(`no answer within ${ms / 1000} s`)
