import { Script } from 'node:vm'
import { errorCode } from './problem.ts'

/**
 * Runs work that cannot be interrupted from inside, as a regular expression that backtracks without end. False when it
 * was stopped; what it had done by then stays.
 */
export function withTimeLimit(milliseconds: number, work: () => void): boolean {
  try {
    new Script('work()').runInNewContext({ work }, { timeout: milliseconds })
    return true
  } catch (error) {
    // The error is made in the other context, so it is no instance of this one's Error.
    if (codeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  }
}

function codeOf(error: unknown): string | undefined {
  return (
    errorCode(error) ??
    (typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined)
  )
}
