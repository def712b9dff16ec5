import { isJsonObject, type Json } from '../core/json.ts'
import { MARKS, type Mark } from '../core/mark.ts'
import { fits } from './fit.ts'
import type { ToolPolicy } from './schema.ts'

/**
 * What a result puts on the run. `value` is what the tool gave, where it gave more than text. A typed reader's answer of its
 * type does not carry `untrusted`: all that somebody else could choose is which of the allowed values it is. That is the one
 * way down, so an answer outside the type carries everything.
 */
export function resultMarks(tool: ToolPolicy, value?: Json): readonly Mark[] {
  if (tool.answer !== undefined)
    return value !== undefined && fits(tool.answer, value, {}) ? (tool.marks ?? ['private']) : MARKS
  const shown = value === undefined ? undefined : keysIn(value)
  const ofFields = Object.entries(tool.fields ?? {}).flatMap(([name, marks]) =>
    shown === undefined || shown.has(name) ? marks : [],
  )
  const marks = new Set([...(tool.marks ?? MARKS), ...ofFields])
  return MARKS.filter((mark) => marks.has(mark))
}

function keysIn(value: Json, keys = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const each of value) keysIn(each, keys)
  else if (isJsonObject(value))
    for (const [key, each] of Object.entries(value)) {
      keys.add(key)
      keysIn(each, keys)
    }
  return keys
}
