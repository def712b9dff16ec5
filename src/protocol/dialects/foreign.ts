import { skipBlanks } from '../../core/python-literal.ts'
import { type SpokenCall, unreadable } from '../spoken-call.ts'
import type { Dialect } from './dialect.ts'
import { matchAt, readBlocks, seeker } from './scan.ts'
import { spokenStart } from './thinking.ts'

/** Begins a line of something that is surely meant as a call, in a form that nobody has told us how to read. */
const MARK =
  /(?<![^\n])[ \t]{0,8}(?:\[TOOL_CALL\]|<\|python_tag\|>|<\|?(?:tool_call|tool_use|function_call)s?\|?>|<(?:antml:)?(?:invoke|function)[ =]["'\w])/

/**
 * What looks like a call in no form we know, also a reply that begins with the name of a tool as a tag: never run, and never
 * taken for an answer.
 */
export const foreign: Dialect = {
  name: 'unknown',
  read(text, known) {
    const nextLine = seeker(text, /\n/)
    const start = skipBlanks(text, spokenStart(text))
    const tag = matchAt(/<?([\p{L}\p{N}_./:-]{1,256})>/uy, text, start)
    if (tag?.[1] !== undefined && known(tag[1]))
      return [{ start, end: nextLine(start), calls: [unknownCall(text, start)] }]
    return readBlocks(text, MARK, ({ index }, from) => ({ calls: [unknownCall(text, index)], end: nextLine(from) }))
  },
}

const unknownCall = (text: string, at: number): SpokenCall =>
  unreadable(text.slice(at, at + 2_000), 'it looks like a call, in a form that is not known')
