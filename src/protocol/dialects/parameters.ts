import { skipBlanks } from '../../core/python-literal.ts'
import { markFinder, matchAt } from './scan.ts'

/** How a family writes the arguments of a call in tags of their own. */
export interface ParameterForm {
  /** Begins a call. */
  readonly call: RegExp
  /** Begins an argument; its first group is the key. */
  readonly open: RegExp
  /** Ends an argument. */
  readonly close: RegExp
  /** Ends the call. */
  readonly end: RegExp
}

export type ParameterReading =
  /** Each argument: the match of its opening tag, and what was written. `end`: behind the tag that ends the call. */
  | { readonly given: readonly { readonly tag: RegExpExecArray; readonly value: string }[]; readonly end: number }
  | { readonly problem: string; readonly end: number }

/**
 * Reads the arguments that begin at a place, growing from call to call. A value is opaque: it ends at its own closing tag,
 * where as many were opened in it as were closed, and another argument, the end of the call or of the text follows. One that
 * does not end so breaks its call. After the first broken one, values are sought up to the next mark of a call only: hostile
 * texts cost two looks, not one for each call.
 */
export function parameterReader(text: string, form: ParameterForm): (from: number) => ParameterReading {
  const tags = new RegExp(`(${form.open.source})|${form.close.source}`, 'g')
  const finder = markFinder(text, { opening: form.call, closing: form.end })
  const [open, end] = [sticky(form.open), sticky(form.end)]
  const behindEnd = (at: number): number => at + (matchAt(end, text, at)?.[0].length ?? 0)
  let lost = false

  function endOfValue(from: number): RegExpExecArray | undefined {
    const within = lost ? text.slice(0, finder.next(from)) : text
    let depth = 0
    tags.lastIndex = from
    for (let tag = tags.exec(within); tag !== null; tag = tags.exec(within)) {
      if (tag[1] !== undefined) depth += 1
      else if (depth > 0) depth -= 1
      else if (isFollowed(tags.lastIndex)) return tag
    }
    return undefined
  }

  function isFollowed(at: number): boolean {
    const next = skipBlanks(text, at)
    return next === text.length || (matchAt(open, text, next) ?? matchAt(end, text, next)) !== undefined
  }

  function broken(from: number, problem: string): ParameterReading {
    lost = true
    return { problem, end: behindEnd(finder.endOfBroken(from)) }
  }

  return (from) => {
    const given: { tag: RegExpExecArray; value: string }[] = []
    for (let at = skipBlanks(text, from); ; ) {
      if (at === text.length && given.length > 0) return { given, end: at }
      if (matchAt(end, text, at)) return { given, end: behindEnd(at) }
      const tag = matchAt(open, text, at)
      if (tag === undefined) return broken(at, `a tag is not as it must be at: ${text.slice(at, at + 60)}`)
      const start = at + tag[0].length
      const close = endOfValue(start)
      if (close === undefined) return broken(start, `the argument ${tag[0].slice(0, 80)} does not end for certain`)
      given.push({ tag, value: text.slice(start, close.index) })
      at = skipBlanks(text, close.index + close[0].length)
    }
  }
}

const sticky = (pattern: RegExp): RegExp => new RegExp(pattern.source, 'y')

/** Without exactly one line break at either end: those belong to the tags. */
export const withoutEdges = (value: string): string => value.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
