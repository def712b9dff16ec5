import { addCost, type Usage } from '../core/usage.ts'

/** How far a batch is. */
export interface Progress {
  /** Rollouts in all, of which `before` had their record when this process began. */
  readonly total: number
  readonly before: number
  readonly running: number
  /** Records written by this process. `failed` of them say that the question was not really tried. */
  readonly done: number
  readonly failed: number
  /** Cannot go on until a person has answered. */
  readonly waiting: number
  /** Stopped on the way; `--resume` goes on with them. */
  readonly parked: number
  /** Of the rollouts that this process has brought to an end or to rest; estimated where a service does not say them. */
  readonly tokens: number
  /** US dollars, those of the records that were there before included; undefined where a price is not known. */
  readonly cost: number | undefined
  /** Milliseconds since this process began. */
  readonly elapsed: number
}

/** Counts what happens. */
export class Tally {
  before = 0
  running = 0
  done = 0
  failed = 0
  waiting = 0
  parked = 0
  tokens = 0
  cost: number | undefined
  readonly #total: number
  readonly #now: () => number
  readonly #began: number

  constructor(total: number, { cost, now }: { readonly cost: number | undefined; readonly now: () => number }) {
    this.#total = total
    this.cost = cost
    this.#now = now
    this.#began = now()
  }

  use(usage: Usage | undefined): void {
    this.cost = addCost(this.cost, usage)
  }

  get progress(): Progress {
    const { before, running, done, failed, waiting, parked, tokens, cost } = this
    const elapsed = this.#now() - this.#began
    return { total: this.#total, before, running, done, failed, waiting, parked, tokens, cost, elapsed }
  }
}

/** Records a minute, over all the time so far. */
export const rateOf = ({ done, elapsed }: Progress): number => (elapsed === 0 ? 0 : (done / elapsed) * 60_000)

/** Milliseconds that are left at the rate so far; undefined while nothing is done. */
export function timeLeftOf({ total, before, done, elapsed, waiting, parked }: Progress): number | undefined {
  return done === 0 ? undefined : ((total - before - done - waiting - parked) * elapsed) / done
}
