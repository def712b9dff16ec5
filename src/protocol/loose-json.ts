import JSON5 from 'json5'
import { jsonrepair } from 'jsonrepair'
import type { Rung } from '../core/call.ts'
import { isJsonObject, type JsonObject, readJson } from '../core/json.ts'
import { backslashesIn } from './backslashes.ts'
import { isFaithful } from './faithful.ts'

/** JSON as models write it, and how it had to be read. */
export type LooseReading =
  | { readonly ok: true; readonly value: JsonObject; readonly rung: Rung }
  | { readonly ok: false; readonly problem: string }

/**
 * Characters up to which a text is read loosely, and up to which it is repaired. Repairing is quadratic in the worst case:
 * 16 KB take 0.2 s at most, 64 KB took 3 s.
 */
const LOOSE_LIMIT = 65_536
const REPAIR_LIMIT = 16_384

/**
 * Reads one object, on the first rung that holds: as strict JSON, perhaps in a fence; cut out of the text around it; with the
 * backslashes doubled that begin no escape; as JSON5; repaired. Whatever a rung makes of the text is read strictly again, so
 * that equal or forbidden keys never pass, and the last two must be faithful to what was written. What ends early is refused
 * on every rung: a call that was cut off is not guessed.
 */
export function readLooseObject(text: string): LooseReading {
  const bare = withoutFence(text)
  const strict = readJson(bare)
  if (strict.ok || !strict.syntax) return objectOf(strict, 'strict')
  const start = bare.indexOf('{')
  if (start === -1 || bare.startsWith('[')) return strict
  const end = endOfObject(bare, start)
  if (end === undefined)
    return {
      ok: false,
      problem: 'it has no end: a closing brace or quote is missing, or a backslash stands before a quote',
    }
  const problem = findStray(bare, end) ?? (isFollowedByObject(bare, end) ? 'a second object follows it' : undefined)
  if (problem !== undefined) return { ok: false, problem }
  return climb(bare.slice(start, end))
}

function climb(text: string): LooseReading {
  const cut = readJson(text)
  if (cut.ok || !cut.syntax || text.length > LOOSE_LIMIT) return objectOf(cut, 'cut')
  const backslashes = backslashesIn(text)
  if ('problem' in backslashes) return { ok: false, problem: backslashes.problem }
  const escaped = readJson(backslashes.text)
  if (escaped.ok || !escaped.syntax) return objectOf(escaped, 'escape')
  return (
    readRewritten(backslashes.text, 'json5', (each) => JSON.stringify(JSON5.parse(each))) ??
    readRewritten(withPlainStrings(backslashes.text), 'repair', repair) ??
    cut
  )
}

function repair(text: string): string {
  if (text.length > REPAIR_LIMIT) throw new RangeError('too long to repair')
  return jsonrepair(text)
}

/** Undefined where the rewriting fails, or says anything that was not written. */
function readRewritten(text: string, rung: Rung, rewrite: (text: string) => string): LooseReading | undefined {
  try {
    const rewritten = rewrite(text)
    return isFaithful(text, rewritten) ? objectOf(readJson(rewritten), rung) : undefined
  } catch {
    return undefined // no JSON5; beyond repair; too long, or nested deeper than the stack
  }
}

function objectOf(read: ReturnType<typeof readJson>, rung: Rung): LooseReading {
  if (!read.ok) return read
  return isJsonObject(read.value)
    ? { ok: true, value: read.value, rung }
    : { ok: false, problem: 'it must be one object in braces' }
}

const withoutFence = (text: string): string => {
  const bare = text.replace(/^\ufeff/, '').trim()
  return bare.startsWith('```') && bare.endsWith('```') ? bare.slice(bare.indexOf('\n') + 1, -3).trim() : bare
}

/** Texts in three quotes, as Python has them, become texts in one. With a backslash in them it is not certain what they say. */
const withPlainStrings = (text: string): string =>
  text.replaceAll(/(?<=[[{,:]\s*)"""((?:(?!""")[^\\])*)"""(?=\s*[,}\]])/g, (_, inner: string) => JSON.stringify(inner))

/**
 * Where the object that begins at `start` ends (behind its brace); undefined when it does not. Knows strings. A tag or a
 * backslash outside of them is its end too, so that the search never runs through the rest of a long reply.
 */
export function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '"' || (char === "'" && isOpeningQuote(text, at))) {
      const end = endOfString(text, at)
      if (end === undefined) return undefined
      at = end
    } else if (char === '\\' || char === '<') return undefined
    else if (char === '{' || char === '[') depth += 1
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return undefined
}

/** Where the last quote of the string stands whose first quote is at `start`. */
function endOfString(text: string, start: number): number | undefined {
  const quote = text[start]
  if (text.startsWith('"""', start)) {
    const end = text.indexOf('"""', start + 3)
    return end === -1 ? undefined : end + 2
  }
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === quote) return at
  }
  return undefined
}

/** A single quote opens a string only where a value or a key can begin. */
const isOpeningQuote = (text: string, at: number): boolean => /[{[,:]\s*$/.test(text.slice(Math.max(0, at - 40), at))

/** What shows that an object which seemed to end at `end` did not, as when a quote in a text was taken for the text's end. */
export function findStray(text: string, end: number): string | undefined {
  STRAY.lastIndex = end
  return STRAY.test(text) ? 'it goes on behind its last brace' : undefined
}
const STRAY = /\s*["':]|\s*,(?!\s*\{)|[^{}[\]<]*[}\]]/y

/** Whether another object comes right behind one that ends at `end`. */
export function isFollowedByObject(text: string, end: number): boolean {
  NEXT.lastIndex = end
  return NEXT.test(text)
}
const NEXT = /[\s,;]*\{/y
