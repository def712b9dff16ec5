import { oneLine } from '../core/clip.ts'
import { TaoError } from '../core/error.ts'
import { matchCall } from './call-match.ts'
import { type CallWish, describeCall } from './call-wish.ts'
import type { Criterion, Finding, RecordedCall, RunRecord } from './criterion.ts'
import { type Pattern, readPattern } from './pattern.ts'

export interface CalledOptions extends CallWish {
  /** What the result must contain: a plain text, or `/regular expression/`. */
  readonly matches?: string
  /** The exit code it must have had. Default: 0, for tools that give one. */
  readonly exit?: number
  /** False: a call before the last change counts as well. Default: true, since a change makes older results stale. */
  readonly fresh?: boolean
}

/**
 * Holds when such a call was made, succeeded, and returned what it must. A call that failed proves nothing, nor does one to
 * another tool. Throws a `TaoError` for a pattern that cannot be read.
 */
export function called(options: CalledOptions): Criterion {
  if (options.tool.trim() === '') throw new TaoError('criterion', 'A criterion "called" names no tool.')
  const isMeant = matchCall(options)
  const pattern = options.matches === undefined ? undefined : readPattern(options.matches)
  const giving = pattern === undefined ? '' : `, giving ${pattern.written}`
  const ending = options.exit === undefined ? '' : `, exit ${options.exit}`
  return {
    name: `called: ${oneLine(describeCall(options), 300)}${ending}${giving}`,
    check: async ({ record }) => judge(record.calls.filter(isMeant), record, { ...options, pattern }),
  }
}

type Wish = CalledOptions & { readonly pattern: Pattern | undefined }

function judge(calls: readonly RecordedCall[], record: RunRecord, wish: Wish): Finding {
  const last = calls.at(-1)
  if (last === undefined) return { holds: false, detail: 'No such call was made.' }
  const good = calls.findLast((call) => problemOf(call, wish) === undefined)
  if (good === undefined) return { holds: false, detail: `${label(last)} ${problemOf(last, wish)}.` }
  if (wish.fresh === false || good.seq >= record.lastChange) return { holds: true, detail: `${label(good)} did.` }
  return {
    holds: false,
    doubt: 'stale',
    detail: `${label(good)} did, but something was changed after it. Make the call again.`,
  }
}

function problemOf({ ok, exit, observation }: RecordedCall, { exit: wanted = 0, pattern }: Wish): string | undefined {
  if (!ok) return 'failed'
  if (exit !== undefined && exit !== wanted) return `ended with exit code ${exit}`
  const problem = pattern?.problemIn(observation)
  return problem === undefined ? undefined : `gave a result that ${problem}`
}

const label = ({ step, id }: RecordedCall): string => `The call of step ${step} (${id})`
