import { parseDuration } from '../app/duration.ts'
import { TaoError } from '../core/error.ts'

/** How the limits of a whole command are written. */
export interface MaxFlags {
  readonly maxCost?: string
  readonly maxTime?: string
}

export interface MaxLimits {
  /** US dollars. */
  readonly cost?: number
  /** Milliseconds. */
  readonly time?: number
}

/** Throws a `TaoError` that calls each by its flag. */
export function maxLimits({ maxCost, maxTime }: MaxFlags): MaxLimits {
  const cost = maxCost === undefined ? undefined : Number(maxCost)
  if (cost !== undefined && !(cost > 0 && Number.isFinite(cost)))
    throw new TaoError('usage', `--max-cost must be an amount of US dollars above 0, not "${maxCost}".`)
  const time = maxTime === undefined ? undefined : parseDuration(maxTime)
  if (maxTime !== undefined && time === undefined)
    throw new TaoError('usage', `--max-time must be a length of time such as 90m or 8h, not "${maxTime}".`)
  return { ...(cost === undefined ? {} : { cost }), ...(time === undefined ? {} : { time }) }
}
