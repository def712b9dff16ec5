/** A value that JSON can write. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** What strict reading allows. Depth and keys are counts, size is characters. */
export interface JsonBounds {
  readonly size: number
  readonly depth: number
  readonly keys: number
}

const DEFAULT_BOUNDS: JsonBounds = { size: 1_000_000, depth: 32, keys: 1_000 }

export type JsonReading = { readonly ok: true; readonly value: Json } | JsonRefusal

export interface JsonRefusal {
  readonly ok: false
  readonly problem: string
  /** True when the text is no JSON at all; false when it is JSON that is refused. */
  readonly syntax: boolean
}

/**
 * Reads JSON and refuses what `JSON.parse` silently changes or what breaks later code: equal keys (it keeps the last),
 * numbers it cannot hold exactly, keys that reach prototypes, and values too deep or too large to write again.
 */
export function readJson(text: string, bounds: JsonBounds = DEFAULT_BOUNDS): JsonReading {
  if (text.length > bounds.size)
    return { ok: false, syntax: false, problem: `it has ${text.length} characters; ${bounds.size} are allowed` }
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    return { ok: false, syntax: true, problem: `it is not valid JSON: ${(error as Error).message}` }
  }
  const problem = findHiddenProblem(text, bounds)
  return problem === undefined ? { ok: true, value } : { ok: false, syntax: false, problem }
}

/** The one object that a text is, read strictly; undefined for everything else. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  const read = readJson(text)
  return read.ok && isJsonObject(read.value) ? read.value : undefined
}

/** True for a JSON object: not null, not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]|-?\d[\d.eE+-]*/gs

/** Looks at the tokens of a text that is known to be valid JSON. */
function findHiddenProblem(text: string, bounds: JsonBounds): string | undefined {
  const open: (Set<string> | undefined)[] = [] // the keys seen in each open object; undefined for a list
  let lastString = ''
  let keys = 0
  for (const [token] of text.matchAll(TOKEN)) {
    const first = token[0]
    if (first === '"') lastString = token
    else if (first === '{' || first === '[') {
      if (open.push(first === '{' ? new Set() : undefined) > bounds.depth)
        return `it is nested deeper than ${bounds.depth} levels`
    } else if (first === '}' || first === ']') open.pop()
    else if (first === ':') {
      const key = lastString.includes('\\') ? (JSON.parse(lastString) as string) : lastString.slice(1, -1)
      if (++keys > bounds.keys) return `it has more than ${bounds.keys} keys`
      const problem = findKeyProblem(key, open.at(-1))
      if (problem !== undefined) return problem
    } else if (!isExactNumber(token))
      return `the number ${token.slice(0, 40)} cannot be held exactly; write it as a string`
  }
  return undefined
}

function findKeyProblem(key: string, seen: Set<string> | undefined): string | undefined {
  if (FORBIDDEN_KEYS.has(key)) return `the key "${key}" is not allowed`
  if (seen?.has(key)) return `the key "${key.slice(0, 100)}" appears twice`
  seen?.add(key)
  return undefined
}

function isExactNumber(token: string): boolean {
  const value = Number(token)
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}
