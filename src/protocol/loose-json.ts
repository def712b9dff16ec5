import JSON5 from 'json5'
import { isJsonObject, type Json, type JsonObject, readJson } from '../core/json.ts'

/** JSON as models write it, and how it had to be read. */
export type LooseReading =
  | { readonly ok: true; readonly value: JsonObject; readonly rung: 'strict' | 'json5' }
  | { readonly ok: false; readonly problem: string }

/** JSON5 costs more than strict reading and drops escapes it does not know: it is tried on texts of this size only. */
const JSON5_LIMIT = 65_536

/**
 * Reads one object: as strict JSON, else as JSON5 (bare keys, single quotes, comments, trailing commas). What JSON5 gives is
 * written and read strictly again, so that equal or forbidden keys never pass. An escape that JSON5 would drop silently is a
 * problem, not a guess.
 */
export function readLooseObject(text: string): LooseReading {
  const strict = readJson(text)
  if (strict.ok) return expectObject(strict.value, 'strict')
  if (!strict.syntax || text.length > JSON5_LIMIT || UNKNOWN_ESCAPE.test(text)) return strict
  try {
    const value = JSON5.parse<Json>(text)
    const again = readJson(JSON.stringify(value))
    if (!again.ok) return again
    if (countKeys(value) !== countColons(text)) return { ok: false, problem: 'a key appears twice in it' }
    return expectObject(again.value, 'json5')
  } catch {
    return strict
  }
}

/** JSON5 keeps the last of equal keys and says nothing: then there are more colons than keys. */
const countColons = (text: string): number =>
  text.replaceAll(/"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '').split(':').length -
  1

function countKeys(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  const nested = Object.values(value as object).reduce((sum: number, each: Json) => sum + countKeys(each), 0)
  return Array.isArray(value) ? nested : nested + Object.keys(value).length
}

const UNKNOWN_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\[^"'\\/bfnrtuvx0\n\r]/

function expectObject(value: unknown, rung: 'strict' | 'json5'): LooseReading {
  return isJsonObject(value) ? { ok: true, value, rung } : { ok: false, problem: 'it must be one object in braces' }
}

/** Where the object that begins at `start` ends (behind its brace); undefined when it does not. Knows strings. */
export function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let quote: string | undefined
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (quote !== undefined) {
      if (char === '\\') at += 1
      else if (char === quote) quote = undefined
    } else if (char === '"' || (char === "'" && isOpeningQuote(text, at))) quote = char
    else if (char === '{' || char === '[') depth += 1
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return undefined
}

/** A single quote opens a string only where a value or a key can begin. */
const isOpeningQuote = (text: string, at: number): boolean => /[{[,:]\s*$/.test(text.slice(Math.max(0, at - 40), at))
