import { jsonObjectIn, readJson } from '../../core/json.ts'
import { skipBlanks } from '../../core/python-literal.ts'
import { endOfObject } from '../loose-json.ts'
import { readSpokenCall, type SpokenCall } from '../spoken-call.ts'
import type { Block, Dialect, KnownTool } from './dialect.ts'
import { behind } from './scan.ts'
import { spokenStart } from './thinking.ts'

const FIELDS = new Set(['type', 'id', 'name', 'function', 'parameters', 'arguments'])

/**
 * Llama 3: `{"name": …, "parameters": {…}}`, several with a semicolon or a line between them, or in a list. Nothing marks
 * them for certain, so a reply is calls only when it is nothing else, strict JSON, and every tool is known.
 */
export const llamaJson: Dialect = {
  name: 'llama-json',
  read(text, known) {
    const start = skipBlanks(text, spokenStart(text))
    const from = behind(/<\|python_tag\|>/y, text, start)
    const calls = readList(text, from, known) ?? readRow(text, from, known)
    return calls === undefined || calls.length === 0 ? [] : [{ start, end: text.length, calls } satisfies Block]
  },
}

function readList(text: string, from: number, known: KnownTool): SpokenCall[] | undefined {
  if (text[from] !== '[') return undefined
  const read = readJson(text.slice(from))
  const values = read.ok && Array.isArray(read.value) ? read.value : []
  return allOf(values.map((value) => callOf(JSON.stringify(value), known)))
}

function readRow(text: string, from: number, known: KnownTool): SpokenCall[] | undefined {
  const calls: SpokenCall[] = []
  for (let at = skipBlanks(text, from); at < text.length; ) {
    const end = text[at] === '{' ? endOfObject(text, at) : undefined
    const call = end === undefined ? undefined : callOf(text.slice(at, end), known)
    if (end === undefined || call === undefined) return undefined
    calls.push(call)
    at = skipBlanks(text, behind(/;/y, text, end))
  }
  return calls
}

/** Undefined for anything that is not a call with a known name and arguments in an object. */
function callOf(text: string, known: KnownTool): SpokenCall | undefined {
  const written = jsonObjectIn(text)
  if (written === undefined || !Object.keys(written).every((key) => FIELDS.has(key))) return undefined
  if (!('parameters' in written) && !('arguments' in written)) return undefined
  const call = readSpokenCall(text)
  return call.problem === undefined && known(call.name) ? call : undefined
}

const allOf = (calls: readonly (SpokenCall | undefined)[]): SpokenCall[] | undefined =>
  calls.every((call) => call !== undefined) ? [...calls] : undefined
