/** A part of a number of things, with the interval that holds the true share with 95 % confidence. */
export interface Share {
  /** From 0 to 1; undefined of nothing. */
  readonly share?: number
  readonly low?: number
  readonly high?: number
  readonly of: number
}

/** Of the standard normal distribution: 95 % lies within. */
const Z = 1.959964

/**
 * Wilson's score interval. `share` may be a mean of values from 0 to 1: such a mean varies less than a count does, so that the
 * interval is never too narrow. Source: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927).
 */
export function wilson(share: number | undefined, of: number): Share {
  if (share === undefined || of === 0) return { of }
  const centre = share + (Z * Z) / (2 * of)
  const reach = Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of))
  const scale = 1 + (Z * Z) / of
  return { share, low: Math.max(0, (centre - reach) / scale), high: Math.min(1, (centre + reach) / scale), of }
}

export const shareOf = (count: number, of: number): Share => wilson(of === 0 ? undefined : count / of, of)

/** Undefined of nothing. */
export const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0) / values.length

/** The mean of what is known. */
export const meanKnown = (values: readonly (number | undefined)[]): number | undefined =>
  mean(values.filter((value) => value !== undefined))

/**
 * The chance that at least one of `k` attempts, drawn from `n` of which `correct` are right, is right. Source: M. Chen et al.,
 * "Evaluating Large Language Models Trained on Code" (2021), equation 1.
 */
export function passAtK(n: number, correct: number, k: number): number {
  let allWrong = 1
  for (let drawn = 0; drawn < k; drawn++) allWrong *= Math.max(0, n - correct - drawn) / (n - drawn)
  return 1 - allWrong
}

/** Two-sided exact sign test: how often chance alone would favour one side at least so much. */
export function signTest(wins: number, losses: number): number {
  const n = wins + losses
  let logChoose = 0
  let tail = 0
  for (let i = 0; i <= Math.min(wins, losses); i++) {
    if (i > 0) logChoose += Math.log((n - i + 1) / i)
    tail += Math.exp(logChoose - n * Math.LN2)
  }
  return Math.min(1, 2 * tail)
}

/**
 * Raises `p` values of tests that were made together, so that the chance of any false find stays what one test would have.
 * Source: S. Holm, Scand. J. Statist. 6 (1979).
 */
export function holm(ps: readonly number[]): number[] {
  const adjusted = ps.map(() => 1)
  let highest = 0
  for (const [rank, [at, p]] of [...ps.entries()].toSorted(([, a], [, b]) => a - b).entries()) {
    highest = Math.max(highest, Math.min(1, p * (ps.length - rank)))
    adjusted[at] = highest
  }
  return adjusted
}
