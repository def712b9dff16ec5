import type { Stage } from './stage.ts'

/**
 * `stopped`: it did not work. `escaped`: it did. `accepted`: it works and gains nothing, which the remark explains.
 * `broken`: the attempt itself is wrong, so that it proves nothing.
 */
export type Verdict = 'stopped' | 'escaped' | 'accepted' | 'broken'

/** One way out, or one way to hurt the machine. */
export interface Attempt {
  readonly number: number
  readonly name: string
  /** What has to happen for it to count as escaped. */
  readonly counts: string
  /** What Tao must answer. */
  readonly tao: Verdict
  /** What a naive sandbox answers; a sentence where it is not run there. */
  readonly naive: 'stopped' | 'escaped' | { readonly notRun: string }
  readonly remark?: string
  /** Python that runs inside; `driver.py` says which words it has. */
  readonly program?: string
  /** For what happens on both sides: tries it on Tao, and tries what a naive harness would do. */
  readonly tryTao?: (stage: Stage) => Promise<Finding>
  readonly tryNaive?: (stage: Stage) => Promise<Finding>
}

/** What one attempt came to. */
export interface Finding {
  readonly verdict: Verdict
  /** How it was stopped or what it got, for people. */
  readonly detail: string
}

export const stopped = (detail: string): Finding => ({ verdict: 'stopped', detail })
export const escaped = (detail: string): Finding => ({ verdict: 'escaped', detail })

/** Attempts by what they are after; each list is a table of data. */
export type Attempts = readonly Attempt[]
