import { untilAborted } from '../core/deadline.ts'
import { describeError } from '../core/error.ts'
import { SandboxError } from '../sandbox/sandbox.ts'
import type { Criterion, Delivery, Finding } from './criterion.ts'

/**
 * Checks one criterion. What cannot be checked, or not in time, does not hold. Rejects with a `SandboxError` only: without a
 * sandbox nothing can be said.
 */
export async function find(criterion: Criterion, delivery: Delivery): Promise<Finding> {
  try {
    return await untilAborted(criterion.check(delivery), delivery.signal)
  } catch (error) {
    if (error instanceof SandboxError) throw error
    const doubt = delivery.signal.aborted ? 'timeout' : 'error'
    return { holds: false, doubt, detail: `The check failed: ${describeError(error)}` }
  }
}
