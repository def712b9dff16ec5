import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '../core/json.ts'
import type { RecordedCall } from './criterion.ts'
import { readPattern } from './pattern.ts'

/** Which calls are meant: those of a tool whose arguments have these values. */
export interface CallWish {
  readonly tool: string
  /** A text is that text, `/expression/` a pattern, all else the value itself. Arguments that are not named may be anything. */
  readonly with?: JsonObject
}

/** Throws a `TaoError` for a pattern that cannot be read. */
export function matchCall({ tool, with: wanted = {} }: CallWish): (call: RecordedCall) => boolean {
  const wishes = Object.entries(wanted).map(([name, value]) => [name, matchValue(value)] as const)
  return (call) =>
    call.name === tool &&
    wishes.every(([name, fits]) => {
      const given =
        call.arguments !== undefined && Object.hasOwn(call.arguments, name) ? call.arguments[name] : undefined
      return given !== undefined && fits(given)
    })
}

function matchValue(wanted: Json): (given: Json) => boolean {
  if (typeof wanted !== 'string' || !/^\/.+\/[a-z]*$/s.test(wanted)) return (given) => isDeepStrictEqual(given, wanted)
  const pattern = readPattern(wanted)
  return (given) => typeof given === 'string' && pattern.problemIn(given) === undefined
}

/** `read_file { path: "a.ts" }`, as people read it. */
export function describeCall({ tool, with: wanted = {} }: CallWish): string {
  const inner = Object.entries(wanted).map(([name, value]) => `${name}: ${showArgument(value)}`)
  return inner.length === 0 ? tool : `${tool} { ${inner.join(', ')} }`
}

const showArgument = (value: Json): string =>
  typeof value === 'string' && value.startsWith('/') ? value : JSON.stringify(value)
