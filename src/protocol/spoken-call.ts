import type { ToolCall } from '../core/call.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { readLooseObject } from './loose-json.ts'

/** How a field of a call may be called, the usual name first. */
interface FieldNames {
  readonly name: readonly string[]
  readonly arguments: readonly string[]
}

const CALL_FIELDS: FieldNames = {
  name: ['name', 'tool', 'action', 'function'],
  arguments: ['arguments', 'parameters', 'args', 'action_input', 'input'],
}

/** A call that was written in text. One that cannot be read keeps its place and is answered, so its siblings still run. */
export type SpokenCall = Omit<ToolCall, 'id'>

/** Reads a call from the text of an object. */
export function readSpokenCall(text: string, fields: FieldNames = CALL_FIELDS): SpokenCall {
  const read = readLooseObject(text)
  if (!read.ok) return unreadable(text, `the call cannot be read: ${read.problem}`)
  return (
    spokenCallOf(read.value, fields) ?? unreadable(text, `the call names no tool; "${fields.name[0]}" must be a text`)
  )
}

/** Undefined where no field names a tool. */
export function spokenCallOf(value: JsonObject, fields: FieldNames = CALL_FIELDS): SpokenCall | undefined {
  const name = pick(value, fields.name)
  if (typeof name !== 'string' || name.trim() === '') return undefined
  return { name: name.trim(), ...argumentsOf(pick(value, fields.arguments)) }
}

/** Arguments that came as a text which holds an object are decoded once, and only once. */
export function argumentsOf(given: Json | undefined): Pick<SpokenCall, 'arguments' | 'problem'> {
  if (given === undefined || given === null || given === '') return { arguments: '{}' }
  if (isJsonObject(given)) return { arguments: JSON.stringify(given) }
  if (typeof given === 'string') {
    const read = readLooseObject(given)
    if (read.ok) return { arguments: read.rung === 'strict' ? given : JSON.stringify(read.value) }
  }
  return { arguments: JSON.stringify(given), problem: 'the arguments must be one object in braces' }
}

const unreadable = (text: string, problem: string): SpokenCall => ({
  name: 'unreadable',
  arguments: text.slice(0, 2_000),
  problem: `${problem}. It began: ${text.trim().slice(0, 200)}`,
})

function pick(value: JsonObject, names: readonly string[]): Json | undefined {
  const name = names.find((each) => Object.hasOwn(value, each))
  return name === undefined ? undefined : value[name]
}
