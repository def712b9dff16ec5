import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../core/json.ts'
import type { CallWish } from './call-wish.ts'
import type { RecordedCall } from './criterion.ts'
import { readPattern } from './pattern.ts'

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
