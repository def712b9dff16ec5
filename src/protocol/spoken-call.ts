import type { Rung, ToolCall } from '../core/call.ts'
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

/** Reads a call from a text that holds one object. */
export function readSpokenCall(text: string, fields: FieldNames = CALL_FIELDS): SpokenCall {
  const read = readLooseObject(text)
  if (!read.ok) return unreadable(text, `the call cannot be read: ${read.problem}`)
  const call = spokenCallOf(read.value, fields, read.rung)
  return call ?? unreadable(text, `the call names no tool; "${fields.name[0]}" must be a text`)
}

/** Undefined where no field names a tool. `rung`: how the object was read. */
export function spokenCallOf(value: JsonObject, fields = CALL_FIELDS, rung: Rung = 'strict'): SpokenCall | undefined {
  const name = pick(value, fields.name)
  const known = new Set([...fields.name, ...fields.arguments, 'id', 'type'])
  if (typeof name !== 'string' || name.trim() === '') return undefined
  const given = pick(value, fields.arguments)
  const stray = given === undefined ? Object.keys(value).find((key) => !known.has(key)) : undefined
  if (stray !== undefined) return { name: name.trim(), ...noObject(value, `they belong into "${fields.arguments[0]}"`) }
  return { name: name.trim(), ...argumentsOf(given, rung) }
}

/** Arguments that came as a text which holds an object are decoded once, and only once. `rung`: how they were found. */
export function argumentsOf(given: Json | undefined, rung: Rung = 'strict'): Omit<SpokenCall, 'name'> {
  if (given === undefined || given === null || given === '') return { arguments: '{}', ...rungOf(rung) }
  if (isJsonObject(given)) return { arguments: JSON.stringify(given), ...rungOf(rung) }
  if (typeof given !== 'string') return noObject(given)
  const read = readLooseObject(given)
  if (!read.ok) return given.includes('{') ? noObject(given, read.problem) : noObject(given)
  return { arguments: JSON.stringify(read.value), ...rungOf(lower(read.rung, rung)) }
}

const LADDER: readonly Rung[] = ['strict', 'cut', 'escape', 'json5', 'repair']
const lower = (a: Rung, b: Rung): Rung => (LADDER.indexOf(a) > LADDER.indexOf(b) ? a : b)

const rungOf = (rung: Rung): Pick<ToolCall, 'rung'> => (rung === 'strict' ? {} : { rung })

const noObject = (given: Json, why?: string): Omit<SpokenCall, 'name'> => ({
  arguments: JSON.stringify(given),
  problem: why === undefined ? 'the arguments must be one object in braces' : `the arguments cannot be read: ${why}`,
})

/** A call that cannot be read, in its place: it is answered with the problem, not run. */
export const unreadable = (text: string, problem: string): SpokenCall => ({
  name: 'unreadable',
  arguments: text.slice(0, 2_000),
  problem: `${problem}. It began: ${text.trim().slice(0, 200)}`,
})

function pick(value: JsonObject, names: readonly string[]): Json | undefined {
  const name = names.find((each) => Object.hasOwn(value, each))
  return name === undefined ? undefined : value[name]
}
