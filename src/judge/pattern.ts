import { runInNewContext } from 'node:vm'
import { describeError, TaoError } from '../core/error.ts'

/** What a text must contain: a plain text, or a regular expression between slashes. */
export interface Pattern {
  /** As people read it. */
  readonly written: string
  /** Undefined when it is found; otherwise what is wrong, as a part of a sentence. */
  problemIn(text: string): string | undefined
  /** Of what it finds: the group `value`, else the first group, else all. Undefined when it finds nothing, or not in time. */
  valueIn(text: string): string | undefined
}

const BETWEEN_SLASHES = /^\/(.+)\/([a-z]*)$/s
/** Milliseconds a text may be searched. */
const SEARCH_TIME = 1_000

/**
 * `^` and `$` of a regular expression stand for line ends; the flags `i`, `s` and `u` may follow the second slash. Throws
 * a `TaoError` for one that cannot be read, and for an empty pattern, which anything would contain.
 */
export function readPattern(written: string, searchTime = SEARCH_TIME): Pattern {
  if (written === '') throw refuse(written, 'it is empty, so anything would match')
  const [, source, flags = ''] = BETWEEN_SLASHES.exec(written) ?? []
  if (source === undefined) return plainText(written)
  const expression = compile(written, source, flags)
  return {
    written,
    problemIn: (text) => findProblem(expression, text, { written, searchTime }),
    valueIn: (text) => findValue(expression, text, searchTime),
  }
}

const plainText = (written: string): Pattern => ({
  written,
  problemIn: (text) => (text.includes(written) ? undefined : `does not contain "${written}"`),
  valueIn: (text) => (text.includes(written) ? written : undefined),
})

function compile(written: string, source: string, flags: string): RegExp {
  if (!/^[imsu]*$/.test(flags)) throw refuse(written, 'only the flags i, m, s and u are known')
  try {
    return new RegExp(source, [...new Set(`${flags}m`)].join(''))
  } catch (error) {
    throw refuse(written, describeError(error))
  }
}

function findProblem(
  expression: RegExp,
  text: string,
  asked: { written: string; searchTime: number },
): string | undefined {
  const { written, searchTime } = asked
  try {
    return search(expression, text, searchTime) === null ? `does not match ${written}` : undefined
  } catch {
    return `could not be searched for ${written} within ${searchTime} ms`
  }
}

function findValue(expression: RegExp, text: string, searchTime: number): string | undefined {
  try {
    const found = search(expression, text, searchTime)
    return found?.groups?.value ?? found?.[1] ?? found?.[0]
  } catch {
    return undefined
  }
}

/** The text is the agent's: one that makes the expression run for ever must not stop this process. Throws when time is up. */
const search = (expression: RegExp, text: string, timeout: number): RegExpExecArray | null =>
  runInNewContext('expression.exec(text)', { expression, text }, { timeout }) as RegExpExecArray | null

const refuse = (written: string, why: string): TaoError =>
  new TaoError('criterion', `The pattern "${written}" of a criterion cannot be used: ${why}.`, {
    fix: 'Write a plain text, or a regular expression as /expression/.',
  })
