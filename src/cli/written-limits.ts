import { readLimits } from '../app/task-limits.ts'
import type { Limits } from '../core/limits.ts'
import { LIMIT_FLAGS, LIMIT_NAMES, type WrittenLimits } from './limit-flags.ts'

/** The limits that were written. Throws a `TaoError` that calls each by its flag. */
export function limitsIn(flags: WrittenLimits): Partial<Limits> {
  const typed = Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
  )
  return readLimits(typed, (name) => LIMIT_FLAGS[name][0])
}
