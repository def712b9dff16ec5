import { setTimeout as wait } from 'node:timers/promises'

/** Resolves after the time, or rejects with the signal's own reason as soon as it is aborted. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(milliseconds, undefined, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}

/** The same value, or a rejection with the signal's reason as soon as it is aborted. The work itself goes on. */
export async function abortable<T>(value: T | Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([value, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
