import { createHash, createHmac, createSecretKey } from 'node:crypto'

/**
 * Ties the events of a run to each other: the link of an event is made of the link before it, its time and its fact, so
 * what stands anywhere in a run decides every link after it. Only bytes are looked at, whatever an event means.
 */
export interface Chain {
  /** What a run is recorded with: `sha256`, or `hmac-sha256:` with a few letters that tell keys apart. */
  readonly name: string
  /** The link before the first event of a run; no two runs have the same. */
  start(run: string): string
  /** `fact` is one line of JSON: with the times of events, which have no line end, that makes it clear where each begins. */
  next(before: string, at: string, fact: string): string
}

/** 132 bits, in 22 letters: as many as HMAC-SHA-256-128 of RFC 4868 has, in whole letters. */
const LETTERS = 22
const KEY_LETTERS = 8

/**
 * With a key, only who has it can make links. Without one, everybody can: such a chain shows what broke, and it shows an
 * edit only to those who know the last link from elsewhere.
 */
export function openChain(key?: string | Uint8Array): Chain {
  if (key === undefined) return chainOf('sha256', (text) => createHash('sha256').update(text).digest('base64url'))
  const secret = createSecretKey(typeof key === 'string' ? Buffer.from(key) : key)
  const sign = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url')
  return chainOf(`hmac-sha256:${sign('tao key').slice(0, KEY_LETTERS)}`, sign)
}

export const isKeyed = (chain: string): boolean => chain.startsWith('hmac-sha256:')

function chainOf(name: string, sign: (text: string) => string): Chain {
  return {
    name,
    start: (run) => sign(`tao run\n${run}`).slice(0, LETTERS),
    next: (before, at, fact) => sign(`${before}\n${at}\n${fact}`).slice(0, LETTERS),
  }
}
