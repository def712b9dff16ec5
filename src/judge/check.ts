import { openDeadline, untilAborted } from '../core/deadline.ts'
import { TaoError } from '../core/error.ts'
import type { Criterion, Delivery, Finding } from './criterion.ts'

export interface CheckOptions {
  /** As people read it; it is what the model is told to reach. */
  readonly name: string
  /** Looks for itself. `false`, and whatever it throws, means that it does not hold. */
  readonly check: (delivery: Delivery) => boolean | Finding | Promise<boolean | Finding>
  /** Milliseconds. Default: a minute. */
  readonly timeLimit?: number
}

const A_MINUTE = 60_000

/** A criterion of your own. One that takes too long does not hold. */
export function check(options: CheckOptions): Criterion {
  const { name, timeLimit = A_MINUTE } = options
  if (name.trim() === '') throw new TaoError('criterion', 'A criterion "check" has no name.')
  return {
    name,
    check: (delivery) =>
      withinTime(delivery, { timeLimit, what: `The check "${name}"` }, async (timed) =>
        toFinding(await options.check(timed)),
      ),
  }
}

const toFinding = (found: boolean | Finding): Finding =>
  typeof found === 'object' ? found : { holds: found === true, detail: found === true ? 'it said yes' : 'it said no' }

/** Runs `work` with a signal of its own. When the time is up the finding is `timeout`, whatever the work does. */
export async function withinTime(
  delivery: Delivery,
  { timeLimit, what }: { readonly timeLimit: number; readonly what: string },
  work: (delivery: Delivery) => Promise<Finding>,
): Promise<Finding> {
  using deadline = openDeadline(delivery.signal, timeLimit, what)
  try {
    return await untilAborted(work({ ...delivery, signal: deadline.signal }), deadline.signal)
  } catch (error) {
    if (!deadline.expired) throw error
    return { holds: false, doubt: 'timeout', detail: `${what} took longer than ${timeLimit} ms.` }
  }
}
