import type { ToolCall } from '../core/call.ts'
import { coerce } from '../core/coerce.ts'
import { isJsonObject, type JsonObject, readJson } from '../core/json.ts'

export type ArgumentReading =
  | { readonly ok: true; readonly args: JsonObject; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: string }

/** From the bytes that the model wrote to values as the schema wants them; the one way for every protocol. */
export function readArguments(call: ToolCall, parameters: JsonObject): ArgumentReading {
  if (call.arguments.trim() === '') return { ok: true, args: {}, notes: [] }
  const read = readJson(call.arguments)
  if (!read.ok) return problem(`the arguments cannot be read: ${read.problem}`, call)
  if (!isJsonObject(read.value)) return problem('the arguments must be one JSON object', call)
  const { value, notes } = coerce(read.value, parameters, call)
  return { ok: true, args: value, notes }
}

const problem = (what: string, call: ToolCall): ArgumentReading => ({
  ok: false,
  problem: `${what}. They began: ${quote(call.arguments)}`,
})

const quote = (text: string): string =>
  text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters in all)`
