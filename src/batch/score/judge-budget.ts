import { addCost, type Usage } from '../../core/usage.ts'

/** Bounds of all calls of a judging model in one command. */
export interface JudgeLimits {
  /** US dollars. What was judged before costs nothing. */
  readonly cost?: number
  /** Milliseconds. */
  readonly time?: number
}

/** What judging may still use. Once a limit is reached no further call starts; one that is under way is finished. */
export class JudgeBudget {
  readonly limits: JudgeLimits
  readonly #now: () => number
  readonly #began: number
  #cost: number | undefined = 0

  /** `now` in milliseconds; the time runs from here. */
  constructor(limits: JudgeLimits, now: () => number) {
    this.limits = limits
    this.#now = now
    this.#began = now()
  }

  /** Counts one call, whatever it was good for. */
  use(usage: Usage | undefined): void {
    this.#cost = addCost(this.#cost, usage)
  }

  /** The limit that is reached, if any. A cost that is not known may be any. */
  get reached(): keyof JudgeLimits | undefined {
    const { cost, time } = this.limits
    if (cost !== undefined && (this.#cost === undefined || this.#cost >= cost)) return 'cost'
    return time !== undefined && this.#now() - this.#began >= time ? 'time' : undefined
  }
}
