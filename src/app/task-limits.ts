import { TaoError } from '../core/error.ts'
import type { LimitName, Limits } from '../core/limits.ts'
import { didYouMean } from '../core/nearest.ts'
import { limitsSchema, limitsShape } from './task-schema.ts'

/** Limits as a person typed them: whole numbers, lengths of time, dollars. */
export type TypedLimits = { readonly [name in LimitName]?: string | number }

/** Throws a `TaoError` that calls each limit what the person called it. */
export function readLimits(typed: TypedLimits, callIt: (name: LimitName) => string = (name) => name): Partial<Limits> {
  const values = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, asNumber(name, value)]))
  const result = limitsSchema.safeParse(values)
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys')
      return `There is no limit "${issue.keys[0]}". ${didYouMean(issue.keys[0] ?? '', Object.keys(limitsShape))}`
    const limit = issue.path[0] as LimitName
    return `${callIt(limit)} must be ${issue.message}, not "${typed[limit]}".`
  })
  throw new TaoError('limit', problems.join('\n'))
}

/** A length of time needs its unit when it is typed: nobody can see whether 10 means seconds or minutes. */
function asNumber(name: string, value: string | number): string | number {
  return typeof value === 'string' && name !== 'wallTime' && /^-?\d+(?:\.\d+)?$/.test(value.trim())
    ? Number(value)
    : value
}
