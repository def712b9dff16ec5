import type { Reply, Request } from '../core/request.ts'
import { sleep } from './abortable.ts'
import type { AskOptions, Model } from './model.ts'
import { isRetryable, ModelError } from './model.ts'

export interface RetryOptions {
  /** Attempts in all. Default: 4. */
  readonly attempts?: number
  /** Milliseconds the first wait may have; each later one may have twice as much. Default: 1,000. */
  readonly firstWaitMs?: number
  /** No wait is longer, whatever the service asks for. Default: 60,000. */
  readonly longestWaitMs?: number
  /** With it each wait is whole and so many milliseconds longer at most. Default: any part of it. */
  readonly jitterMs?: number
  /** A reply without a text and without calls is trouble too. Default: false. */
  readonly emptyReplies?: boolean
  /** Rejects with the signal's reason when it is aborted. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1. */
  readonly random?: () => number
}

/**
 * The same model, asked again after trouble that may pass. The only place that asks again: no layer below does. Each
 * wait is told before it begins, can be aborted and is bounded; the last error says how many attempts there were.
 */
export function retrying(model: Model, options: RetryOptions = {}): Model {
  const settings = { attempts: 4, firstWaitMs: 1_000, longestWaitMs: 60_000, sleep, random: Math.random, ...options }

  async function ask(request: Request, askOptions: AskOptions): Promise<Reply> {
    for (let attempt = 1; ; attempt++) {
      try {
        const reply = await model.ask(request, askOptions)
        if (options.emptyReplies && isEmpty(reply)) throw new ModelError('empty', `${model.name} said nothing.`)
        return reply
      } catch (error) {
        if (!(error instanceof ModelError) || !isRetryable(error)) throw error
        askOptions.signal.throwIfAborted()
        if (attempt >= settings.attempts) throw usedUp(error, attempt)
        const waitMs = waitFor(error, attempt, settings)
        askOptions.onRetry?.({ attempt, waitMs, reason: error.message })
        await settings.sleep(waitMs, askOptions.signal)
        askOptions.signal.throwIfAborted()
      }
    }
  }

  return {
    name: model.name,
    ...(model.price === undefined ? {} : { price: model.price }),
    openBody: (head) => model.openBody(head),
    ask,
  }
}

const isEmpty = ({ text, calls }: Reply): boolean => text.trim() === '' && calls.length === 0

type Waits = Required<Pick<RetryOptions, 'firstWaitMs' | 'longestWaitMs' | 'random'>> & Pick<RetryOptions, 'jitterMs'>

/** Jitter, so that many runs that failed together do not come back together. */
function waitFor(error: ModelError, attempt: number, settings: Waits): number {
  const { firstWaitMs, longestWaitMs, jitterMs, random } = settings
  const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1))
  const wait = jitterMs === undefined ? random() * longest : longest + random() * jitterMs
  // A service that says when to come back is believed, within reason: some say "in 16 days".
  return Math.round(Math.min(longestWaitMs, (error.retryAfterMs ?? 0) + wait))
}

function usedUp(error: ModelError, attempts: number): ModelError {
  if (attempts === 1) return error
  return new ModelError(error.kind, `${error.message} (after ${attempts} attempts)`, {
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.body === undefined ? {} : { body: error.body }),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    ...(error.fix === undefined ? {} : { fix: error.fix }),
    cause: error,
  })
}
