/** Node fires a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A signal that follows another and also fires after a time. Disposing it frees the timer. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal
  /** Fires at once: what was waited for is no longer needed. */
  abort(reason: unknown): void
  /** True when it was the time that fired. */
  readonly expired: boolean
}

/** Follows `signal` and aborts after `ms` milliseconds with an error that says `what` ran out of time. */
export function openDeadline(signal: AbortSignal, ms: number, what: string): Deadline {
  const controller = new AbortController()
  const follow = () => controller.abort(signal.reason)
  let expired = false
  const expire = () => {
    expired = true
    controller.abort(new Error(`${what} took longer than ${ms} ms`))
  }
  const timer = setTimeout(expire, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS))
  if (signal.aborted) follow()
  else signal.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    get expired() {
      return expired
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
      signal.removeEventListener('abort', follow)
    },
  }
}

/** Resolves as `work` does, or rejects when the signal fires first: nothing that ignores its signal can hold us up. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
