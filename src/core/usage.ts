/** What one model call, or a whole run, used. Counts are tokens and do not overlap; `reasoning` is a part of `output`. */
export interface Usage {
  readonly inputFresh: number
  readonly inputCached: number
  readonly inputCacheWritten: number
  readonly output: number
  readonly reasoning: number
  /** US dollars; undefined where the price is not known. */
  readonly cost?: number
}

export const NO_USAGE: Usage = { inputFresh: 0, inputCached: 0, inputCacheWritten: 0, output: 0, reasoning: 0 }

const COUNTS = Object.keys(NO_USAGE)

/** True for a usage that can only add to another: no count is missing, and none is below 0. */
export function isUsage(value: unknown): value is Usage {
  if (typeof value !== 'object' || value === null) return false
  const isAmount = (name: string): boolean => {
    const amount: unknown = Reflect.get(value, name)
    return typeof amount === 'number' && amount >= 0 && Number.isFinite(amount)
  }
  return COUNTS.every(isAmount) && (!Object.hasOwn(value, 'cost') || isAmount('cost'))
}

/** Adds up two usages. A sum with an unknown part has an unknown cost, unless nothing was used yet. */
export function addUsage(a: Usage, b: Usage): Usage {
  const known = (a === NO_USAGE || a.cost !== undefined) && b.cost !== undefined
  return {
    inputFresh: a.inputFresh + b.inputFresh,
    inputCached: a.inputCached + b.inputCached,
    inputCacheWritten: a.inputCacheWritten + b.inputCacheWritten,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    ...(known ? { cost: (a.cost ?? 0) + (b.cost ?? 0) } : {}),
  }
}

/** A sum of costs, in US dollars: not known any more once one is not known. */
export const addCost = (sum: number | undefined, usage: Usage | undefined): number | undefined =>
  sum === undefined || usage?.cost === undefined ? undefined : sum + usage.cost

export const inputTokens = (usage: Usage): number => usage.inputFresh + usage.inputCached + usage.inputCacheWritten

export const totalTokens = (usage: Usage): number => inputTokens(usage) + usage.output

/** A guess at the tokens of a text: a third of its UTF-8 bytes, which is high for English and about right for Chinese. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3)
