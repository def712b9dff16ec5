import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds that work on many files may keep everything else in the process waiting. */
const SLICE = 10

/** To be called after each operation. Gives what has to be waited for, when it is time to. */
export type Turn = () => Promise<void> | undefined

/**
 * Many small file operations are several times faster without a round trip to another thread each. Work that does them in
 * place calls the returned function after each: it lets the rest of the process have its turn when it is due, and rejects
 * with the signal's reason when it was aborted.
 */
export function pace(signal?: AbortSignal): Turn {
  let turnStart = performance.now()
  return () => {
    if (performance.now() - turnStart < SLICE) return undefined
    return nextTurn().then(() => {
      signal?.throwIfAborted()
      turnStart = performance.now()
    })
  }
}
