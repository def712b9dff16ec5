import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds that work on many files may keep everything else in the process waiting. */
const SLICE = 10

/**
 * Many small file operations are several times faster without a round trip to another thread each. Work that does them in
 * place calls the returned function after each: it lets the rest of the process have its turn when it is due.
 */
export function pace(): () => Promise<void> | undefined {
  let turnStart = performance.now()
  return () => {
    if (performance.now() - turnStart < SLICE) return undefined
    return nextTurn().then(() => {
      turnStart = performance.now()
    })
  }
}
