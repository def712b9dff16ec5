import type { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import { type Chain, openChain } from './chain.ts'
import { FenceError } from './journal.ts'
import { gapError, otherKeyError } from './journal-error.ts'

/** What this process knows about the end of a run that it writes to. */
export interface Tail {
  readonly run: string
  /** The sequence number that comes next; undefined until the first append. */
  next?: number
  /** The run's end was the last event. */
  ended: boolean
  /** Absent until the run was looked up, and for a run that was begun before there were chains. */
  chain?: Chain
  /** The link of the last event that was written. */
  head: string
  /** The run's end is on record. */
  endKept: boolean
  /** What is committed. */
  kept?: { readonly count: number; readonly head: string }
  /** How many events the last checkpoint has seen. */
  confirmed: number
  /** Why nothing more of this run is taken. */
  failure?: TaoError
  failureTold: boolean
}

/** What the database says of a run that is about to go on. */
export interface FoundRun {
  readonly chain: string | null
  readonly status: string | null
  readonly next: number
  readonly head: string | null
}

export const newTail = (run: string): Tail => ({
  run,
  ended: false,
  head: '',
  endKept: false,
  confirmed: 0,
  failureTold: false,
})

export function throwFailure(tail: Tail): void {
  if (tail.failure === undefined) return
  tail.failureTold = true
  throw tail.failure
}

/** Takes the next event of a run into account. Throws when it is not the next one, and when the run has failed. */
export function advanceTail(tail: Tail, { run, seq, kind }: Event): void {
  throwFailure(tail)
  if (tail.next !== undefined && seq < tail.next) throw new FenceError(run, seq)
  if (tail.next !== undefined && seq > tail.next) throw gapError(run, tail.next, seq)
  tail.next = seq + 1
  tail.ended = kind === 'run.ended'
}

/** Goes on with the chain that the run has; a run that is new (`found` undefined) gets ours. What forbids it is kept as failure. */
export function joinChain(tail: Tail, found: FoundRun | undefined, { seq, ours }: { seq: number; ours: Chain }): void {
  const { run } = tail
  const { next = 0, chain = ours.name, status = null, head = null } = found ?? {}
  if (seq > next) tail.failure = gapError(run, next, seq)
  else if (chain !== null && chain !== ours.name && chain !== 'sha256') tail.failure = otherKeyError(run)
  else {
    tail.endKept = status !== null
    if (chain !== null) tail.chain = chain === ours.name ? ours : openChain()
    tail.head = head ?? tail.chain?.start(run) ?? ''
  }
}

/** The link of an event that is written now; null for a run without a chain. */
export function nextLink(tail: Tail, at: string, fact: string): string | null {
  if (tail.chain === undefined) return null
  tail.head = tail.chain.next(tail.head, at, fact)
  return tail.head
}
