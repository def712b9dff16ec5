import type { Json } from '../../core/json.ts'
import { readLiteral, skipBlanks } from '../../core/python-literal.ts'
import { type SpokenCall, unreadable } from '../spoken-call.ts'
import { matchAt } from './scan.ts'
import { objectOf } from './untyped.ts'

interface CallsReading {
  readonly calls: readonly SpokenCall[]
  readonly end: number
}

/**
 * Reads calls as Python writes them, `f(a='x'), g()`, from a place on, separated by commas or lines. Keywords only, and
 * literal values only. A broken call goes as far as its parenthesis; calls behind it are read within their own.
 */
export function readPythonCalls(text: string, start: number, limit: number): CallsReading {
  const calls: SpokenCall[] = []
  let broken = false
  let at = skipBlanks(text, start)
  while (at < limit && matchAt(/[\p{L}_]/uy, text, at)) {
    const bound = broken ? (endOfCall(text, at, limit) ?? limit) : limit
    const read = readCall(text.slice(0, bound), at)
    broken ||= read === undefined
    const end = read?.end ?? endOfCall(text, at, limit) ?? limit
    calls.push(read?.call ?? unreadable(text.slice(at, end), 'the call is not name(key=value, …) with literal values'))
    at = skipBlanks(text, end)
    if (text[at] === ',') at = skipBlanks(text, at + 1)
  }
  return { calls, end: Math.min(at, limit) }
}

function readCall(text: string, start: number): { readonly call: SpokenCall; readonly end: number } | undefined {
  const name = matchAt(/[\p{L}_][\p{L}\p{N}_./-]*/uy, text, start)?.[0] ?? ''
  if (text[start + name.length] !== '(') return undefined
  const entries: [string, Json][] = []
  for (let at = skipBlanks(text, start + name.length + 1), open = true; at < text.length; at = skipBlanks(text, at)) {
    if (text[at] === ')') return { call: { name, ...objectOf(entries) }, end: at + 1 }
    const key = matchAt(/[\p{L}_][\p{L}\p{N}_]*/uy, text, at)?.[0] ?? ''
    const equals = skipBlanks(text, at + key.length)
    const read = open && key !== '' && text[equals] === '=' ? readLiteral(text, equals + 1) : undefined
    if (read === undefined) return undefined
    entries.push([key, read.value])
    at = skipBlanks(text, read.end)
    open = text[at] === ','
    if (open) at += 1
  }
  return undefined
}

/**
 * Behind the parenthesis that closes the first one opened. Undefined where a quote stands at which no text begins: then it is
 * not certain what is in quotes, and what looks like the next call may be a part of this one.
 */
function endOfCall(text: string, start: number, limit: number): number | undefined {
  let depth = 0
  let before = ''
  for (let at = start, quote = ''; at < limit; at++) {
    const char = text.charAt(at)
    if (quote !== '') {
      if (char === '\\') at += 1
      else if (char === quote) quote = ''
    } else if (char === '"' || char === "'") {
      if (!'=([{,:+bfru'.includes(before)) return undefined
      quote = char
    } else if (char === '(') depth += 1
    else if (char === ')' && --depth <= 0) return at + 1
    if (!' \t\r\n'.includes(char)) before = char
  }
  return undefined
}
