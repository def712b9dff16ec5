import type { ToolCall } from '../../src/core/call.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts'

/**
 * A second opinion on calls that are no objects, written without looking at the dialects: behind its name must stand every key
 * and every value of the call, in order, with nothing between them but what calls are made of.
 */
export function isWritten(text: string, { name, arguments: written }: ToolCall): boolean {
  const begins = [...text.matchAll(new RegExp(asWritten(name), 'gu'))].map((match) => match.index + match[0].length)
  if (begins.length === 0) return false
  const entries = Object.entries(JSON.parse(written) as JsonObject)
  return orders(entries).some((order) => {
    const parts = order.flatMap(([key, value]) => [key, ...leaves(value)])
    const patterns = parts.map((part) => new RegExp(asWhole(asWritten(part)), 'uy'))
    return begins.some((begin) => standInOrder(patterns, text, begin))
  })
}

/** No part of a longer word. */
const asWhole = (pattern: string): string =>
  `(?:(?<![\\p{L}\\p{N}])|(?![\\p{L}\\p{N}]))${pattern}(?:(?<![\\p{L}\\p{N}])|(?![\\p{L}\\p{N}]))`

function standInOrder(patterns: readonly RegExp[], text: string, begin: number): boolean {
  let at = begin
  return patterns.every((pattern) => {
    while (!matchAt(pattern, text, at)) {
      if (!matchAt(BETWEEN, text, at)) return false
      at = BETWEEN.lastIndex
    }
    at = pattern.lastIndex
    return true
  })
}

function matchAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

type Entry = readonly [string, Json]

/** Objects put keys that are numbers first, so with one of those any order may have been written. */
function orders(entries: readonly Entry[]): (readonly Entry[])[] {
  if (!entries.some(([key]) => /^\d+$/.test(key))) return [entries]
  return permuted(entries)
}

const permuted = <T>(list: readonly T[]): (readonly T[])[] =>
  list.length < 2
    ? [list]
    : list.flatMap((first, at) => permuted(list.toSpliced(at, 1)).map((rest) => [first, ...rest]))

/**
 * Where calls may stand: behind the last tag that ends thinking, in all of the text or in what comes before a result that the
 * model writes behind a call. Tags that are texts of one of the calls, or in its id, are none.
 */
export function spokenPlaces(text: string, calls: readonly ToolCall[]): readonly string[] {
  const texts = calls.flatMap(({ name, arguments: written }) => [name, written, ...textsIn(written)])
  const quoted = texts.filter((each) => MARK.test(each)).map(asWritten)
  const withoutIds = text.replaceAll(/"id":\s*"[^"]*"/g, hidden)
  const masked = quoted.reduce((rest, each) => rest.replaceAll(new RegExp(each, 'g'), hidden), withoutIds)
  const result = masked.search(/<\|?tool_re(?:sponse|sult)/)
  const ends = result > masked.indexOf(calls[0]?.name ?? '') ? [text.length, result] : [text.length]
  return ends.map((end) => {
    const [last] = [...masked.slice(0, end).matchAll(/<\/think(?:ing)?\s*>/g)].slice(-1)
    return text.slice(last === undefined ? 0 : last.index + last[0].length, end)
  })
}

const MARK = /<\/think|<\|?tool_re/
const hidden = (written: string): string => written.replaceAll(/<(?=\/think|\|?tool_re)/g, '_')

function textsIn(written: string): string[] {
  try {
    return leaves(JSON.parse(written) as Json).filter((leaf) => typeof leaf === 'string')
  } catch {
    return []
  }
}

/** Keys and values in the order in which they are written; a call without any is its name. */
function leaves(value: Json): Json[] {
  if (Array.isArray(value)) return value.flatMap(leaves)
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, inner]) => [key, ...leaves(inner)]) : [value]
}

/** What may stand between the parts of a call: marks, comments, ids, languages of fences, field names; no other letter or digit. */
const BETWEEN = new RegExp(
  [
    '[^\\p{L}\\p{N}]',
    `(?<![\\p{L}\\p{N}])(?:${[
      ...[
        'arguments',
        'parameters?',
        'args',
        'input',
        'action_input',
        'name',
        'tool',
        'action',
        'function',
        'type',
        'id',
      ],
      ...['string', 'true', 'false', 'invoke', 'minimax', 'DSML', 'arg_key', 'arg_value', 'parameter', 'escape'],
      ...['call', 'argument', 'CALL_ID', 'ARGS', 'begin', 'end', 'sep'],
    ].join('|')})(?![\\p{L}\\p{N}])`,
    '(?<=CALL_ID\\])\\w{1,64}',
    '(?<=:)\\d{1,9}(?=\\s*<)',
    '(?<=```)\\w+',
    '(?<=/\\*[^*]{0,9})[^*]',
    '(?<=//[^\\n]{0,9})[^\\n]',
    '(?<=(?:functions\\.|\\|constrain\\|>|\\|channel\\|>)[^<]{0,200})[^<]',
    '(?<=<\\|)(?:constrain|message|channel)(?=\\|>)',
  ].join('|'),
  'uy',
)

function asWritten(value: Json): string {
  if (value === null) return '(?:null|None)'
  if (value === true) return '[Tt]rue'
  if (value === false) return '[Ff]alse'
  return typeof value === 'number' ? numberAsWritten(value) : [...`${value}`].map(characterAsWritten).join('')
}

/** A number in any of its writings. */
const numberAsWritten = (value: number): string =>
  `(?:[-+]?0*${literal(String(Math.abs(value)).replace(/^0\./, '.'))}(?:\\.0*)?|[-+\\d.]+[eE][-+]?\\d+)`

/** A character as it is, or behind a backslash, or as the escape that stands for it. */
function characterAsWritten(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) =>
    character.charCodeAt(i).toString(16).padStart(4, '0'),
  )
  const escaped = [
    ...(PYTHON[character] ?? []),
    JSON.stringify(character).slice(1, -1),
    ...units.map((unit) => `\\u${unit}`).slice(1 - units.length),
  ]
  if (/[\p{L}\p{N}]/u.test(character)) return `${CONTINUED}(?:${literal(character)}|${literal(`\\u${units[0]}`)})`
  return `${CONTINUED}(?:${[character, `\\${character}`, ...escaped].map(literal).join('|')})`
}

const PYTHON: Readonly<Record<string, readonly string[]>> = { '\u0007': ['\\a'], '\v': ['\\v'], '\0': ['\\0'] }

/** Python goes on in the next line behind a backslash. */
const CONTINUED = '(?:\\\\\\r?\\n)?'

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
