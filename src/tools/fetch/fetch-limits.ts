import { openDeadline } from '../../core/deadline.ts'
import { FetchError } from './fetch-error.ts'

/** Times in milliseconds, sizes in bytes. */
export interface FetchLimits {
  /** Until the answer begins, for each hop: look-up and connection included. */
  readonly firstByte: number
  /** Between two pieces. */
  readonly idle: number
  /** For all hops together. */
  readonly total: number
  /** What travels over the network. */
  readonly bytes: number
  /** What a compressed answer may become. */
  readonly expanded: number
  /** How many times its size a compressed answer may become, once it is larger than `RATIO_FROM`. */
  readonly ratio: number
  readonly redirects: number
}

const MEBIBYTE = 1 << 20

export const DEFAULT_FETCH_LIMITS: FetchLimits = {
  firstByte: 20_000,
  idle: 15_000,
  total: 50_000,
  bytes: 16 * MEBIBYTE,
  expanded: 4 * MEBIBYTE,
  ratio: 100,
  redirects: 5,
}

/** Short answers compress to almost nothing, and cost nothing. */
export const RATIO_FROM = MEBIBYTE / 4

/** Watches over the time of one request. Disposing it frees the timers. */
export interface Watch extends Disposable {
  /** Aborted by the caller's signal, or with a `FetchError` that names the limit. */
  readonly signal: AbortSignal
  /** Starts the time of a phase anew. */
  enter(phase: 'firstByte' | 'idle'): void
}

export function watch(limits: FetchLimits, signal: AbortSignal): Watch {
  const total = openDeadline(signal, limits.total, 'The whole answer')
  const controller = new AbortController()
  const stop = () => controller.abort(total.expired ? tooSlow('total', limits) : total.signal.reason)
  if (total.signal.aborted) stop()
  else total.signal.addEventListener('abort', stop, { once: true })
  let phase: NodeJS.Timeout | undefined
  return {
    signal: controller.signal,
    enter(next) {
      clearTimeout(phase)
      phase = setTimeout(() => controller.abort(tooSlow(next, limits)), limits[next])
    },
    [Symbol.dispose]() {
      clearTimeout(phase)
      total[Symbol.dispose]()
    },
  }
}

const PHASES = {
  firstByte: 'did not begin to answer',
  idle: 'sent nothing more',
  total: 'did not finish answering',
} as const

const tooSlow = (phase: keyof typeof PHASES, limits: FetchLimits): FetchError =>
  new FetchError('timeout', `The server ${PHASES[phase]} within ${limits[phase] / 1000} s (limit "${phase}").`)
