import { coerce } from '../../core/coerce.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { ToolDefinition } from '../../core/request.ts'
import { native } from '../native.ts'
import { whole } from '../protocol.contract.ts'
import type { ParsedReply } from '../protocol.ts'

export interface Written {
  readonly name: string
  readonly input: JsonObject
}

/** How a family writes, and what of it may go wrong. */
export interface DialectFixture {
  readonly name: string
  write(calls: readonly Written[]): string
  /** What `write` ends with and models forget; empty where nothing is. */
  readonly closing: string
  /** A call of `look` without arguments, in every way that is written. */
  readonly empty: readonly string[]
  /** A call of `look` in which `n` is this literal, as it stands. */
  literal(literal: string): string
  /** A good call of `look`, one that is broken, a good call of `change`; absent where one broken call makes it no calls. */
  readonly siblings?: string
  /** Values are text without a type. */
  readonly untyped?: true
  /** Nothing marks the calls: they are such only where the reply is nothing else. */
  readonly bare?: true
  /** A call given as the text of an object. */
  readonly object?: (object: string) => string
  /** Pieces that a hostile text repeats. */
  readonly hostile: readonly string[]
}

const NAMES = ['look', 'change', 'get', 'get_weather', 'get_weather_now']
const SCHEMA: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string' }, n: { type: 'integer' }, flag: { type: 'boolean' }, list: { type: 'array' } },
}
const tools: readonly ToolDefinition[] = NAMES.map((name) => ({ name, description: name, parameters: SCHEMA }))

export function parse(text: string): ParsedReply {
  const taken = new Set<string>()
  const freshId = (given: string | undefined, index: number): string => {
    const id = given === undefined || taken.has(given) ? `made_${index}` : given
    taken.add(id)
    return id
  }
  return native.parse(whole({ text }), { tools, freshId })
}

/** The calls of a text as a run reads them: names, and arguments by the schema; the problem in place of broken ones. */
export function callsOf(text: string): readonly (readonly [string, Json])[] {
  const parsed = parse(text)
  if (parsed.kind !== 'calls') return []
  return parsed.calls.map((call) => {
    if (call.problem !== undefined) return ['broken', null]
    return [call.name, coerce(JSON.parse(call.arguments) as JsonObject, SCHEMA, call).value]
  })
}
