import { setImmediate as nextTurn } from 'node:timers/promises'
import { describeError, TaoError } from '../core/error.ts'
import { totalTokens, type Usage } from '../core/usage.ts'
import { FenceError } from '../journal/journal.ts'
import type { State } from '../run/state.ts'
import type { Row } from './item.ts'
import { type Progress, Tally } from './progress.ts'
import { type BatchRecord, type RolloutName, recordOfFailure, recordOfRun } from './record.ts'
import type { Results } from './results.ts'

/** What is to be run. */
export interface BatchPlan {
  readonly rows: readonly Row[]
  /** How often each row is run. */
  readonly rollouts: number
  readonly concurrency: number
  readonly limits: BatchLimits
}

export interface BatchLimits {
  /** US dollars for all of it. */
  readonly cost?: number
  /** Milliseconds for this process. */
  readonly time?: number
}

export interface BatchParts {
  readonly results: Results
  readonly run: RunRollout
  /** When it fires nothing more is begun; what is under way is finished. */
  readonly finishing: AbortSignal
  readonly now: () => number
  readonly onProgress?: (progress: Progress) => void
  /** Told of each record after it was written, and of each rollout that has to wait or was stopped on the way. */
  readonly onRollout?: (end: RolloutEnd) => void
}

/**
 * One rollout as an ordinary run: begun, or taken up where an earlier process left it. Resolves to its state when it has ended
 * or rests; rejects with a `TaoError` for what cannot be run. The signal parks it.
 */
export type RunRollout = (
  name: RolloutName,
  hooks: RolloutHooks,
) => Promise<{ readonly run: string; readonly state: State }>

export interface RolloutHooks {
  readonly earlier: string | undefined
  readonly signal: AbortSignal
  began(run: string): void
  used(usage: Usage | undefined): void
}

export type RolloutEnd = { readonly name: RolloutName } & (
  | { readonly kind: 'recorded'; readonly record: BatchRecord }
  | { readonly kind: 'waiting' | 'parked'; readonly run: string }
)

export interface BatchEnd extends Progress {
  /** Why not everything was done: it was asked to finish, or a limit of the batch. */
  readonly stopped?: 'finished early' | keyof BatchLimits
}

/**
 * Runs every row as often as is asked, so many at a time, all rows once before any is run again. Each rollout ends in one
 * record, whatever becomes of it, unless it waits or was parked. Rejects when results or journal cannot be written.
 */
export async function runBatch(plan: BatchPlan, parts: BatchParts): Promise<BatchEnd> {
  const batch = new Batch(plan, parts)
  return await batch.run()
}

class Batch {
  readonly #plan: BatchPlan
  readonly #parts: BatchParts
  readonly #tally: Tally
  /** Of what is under way. One signal for all would be listened to a hundred times over, and gone through for each listener. */
  readonly #parking = new Set<AbortController>()
  readonly #pending: Iterator<RolloutName>
  #stopped: BatchEnd['stopped']
  #fault: unknown

  constructor(plan: BatchPlan, parts: BatchParts) {
    this.#plan = plan
    this.#parts = parts
    const all = [...rolloutsOf(plan)]
    const pending = all.filter((name) => !parts.results.has(name))
    this.#tally = new Tally(all.length, { cost: parts.results.spentBefore, now: parts.now })
    this.#tally.before = all.length - pending.length
    this.#pending = pending.values()
  }

  async run(): Promise<BatchEnd> {
    const { time } = this.#plan.limits
    const timer = time === undefined ? undefined : setTimeout(() => this.#stop('time'), time)
    this.#checkCost()
    try {
      await this.#workTogether()
    } finally {
      clearTimeout(timer)
    }
    if (this.#fault !== undefined) throw this.#fault
    const stopped = this.#stopped === undefined ? {} : { stopped: this.#stopped }
    return { ...this.#tally.progress, ...stopped }
  }

  /** One begins in each turn of the event loop, so that the first has asked before the last is prepared. */
  async #workTogether(): Promise<void> {
    let turn = Promise.resolve()
    const workers = Array.from({ length: this.#plan.concurrency }, () => {
      const worker = turn.then(() => this.#work())
      turn = turn.then(() => nextTurn())
      return worker
    })
    await Promise.all(workers)
  }

  async #work(): Promise<void> {
    for (let name = this.#next(); name !== undefined; name = this.#next()) {
      this.#tally.running++
      this.#tell()
      await this.#rollOut(name)
      this.#tally.running--
      this.#tell()
    }
  }

  #next(): RolloutName | undefined {
    if (this.#stopped !== undefined || this.#fault !== undefined) return undefined
    const next = this.#pending.next()
    if (next.done === true) return undefined
    if (!this.#parts.finishing.aborted) return next.value
    this.#stopped = 'finished early'
    return undefined
  }

  /** Never rejects: what concerns one row stands in its record, what concerns all ends the batch. */
  async #rollOut(name: RolloutName): Promise<void> {
    try {
      const { row } = name
      if ('problem' in row)
        return this.#keep(name, recordOfFailure(name, `${row.where} of the dataset: ${row.problem}.`))
      const { run, state } = await this.#runOne(name)
      this.#tally.tokens += totalTokens(state.usage)
      if (state.outcome === undefined) this.#leave(name, 'waiting', run)
      else if (state.outcome.status === 'cancelled') this.#leave(name, 'parked', run)
      else this.#keep(name, recordOfRun(name, run, state))
    } catch (error) {
      if (error instanceof FenceError) this.#leave(name, 'parked', this.#parts.results.runOf(name) ?? '')
      else if (endsAll(error)) this.#end(error)
      else this.#keepFailure(name, error)
    }
  }

  async #runOne(name: RolloutName): ReturnType<RunRollout> {
    const parking = new AbortController()
    this.#parking.add(parking)
    try {
      return await this.#parts.run(name, {
        earlier: this.#parts.results.runOf(name),
        signal: parking.signal,
        began: (run) => this.#parts.results.began(name, run),
        used: (usage) => {
          this.#tally.use(usage)
          this.#checkCost()
        },
      })
    } finally {
      this.#parking.delete(parking)
    }
  }

  #keep(name: RolloutName, record: BatchRecord): void {
    this.#parts.results.add(record)
    this.#tally.done++
    if (record.error !== undefined) this.#tally.failed++
    this.#parts.onRollout?.({ name, kind: 'recorded', record })
  }

  #keepFailure(name: RolloutName, error: unknown): void {
    try {
      this.#keep(name, recordOfFailure(name, describeError(error)))
    } catch (fault) {
      this.#end(fault)
    }
  }

  #leave(name: RolloutName, kind: 'waiting' | 'parked', run: string): void {
    this.#tally[kind]++
    this.#parts.onRollout?.({ name, kind, run })
  }

  #checkCost(): void {
    const { cost: most } = this.#plan.limits
    if (most === undefined) return
    const { cost } = this.#tally
    if (cost === undefined || cost >= most) this.#stop('cost')
  }

  /** What is under way ends where it stands, and can be gone on with. */
  #stop(limit: keyof BatchLimits): void {
    if (this.#stopped !== undefined) return
    this.#stopped = limit
    this.#park(`the batch's limit ${limit}`)
  }

  #end(fault: unknown): void {
    this.#fault ??= fault
    this.#park('a fault that ends the whole batch')
  }

  #park(why: string): void {
    for (const parking of this.#parking) parking.abort(why)
  }

  #tell(): void {
    this.#parts.onProgress?.(this.#tally.progress)
  }
}

function* rolloutsOf({ rows, rollouts }: BatchPlan): Generator<RolloutName> {
  for (let rollout = 1; rollout <= rollouts; rollout++) for (const row of rows) yield { row, rollout }
}

/** Where nothing can be written, every other row would end in the same way. */
const endsAll = (error: unknown): boolean =>
  error instanceof TaoError && (error.code === 'journal' || error.code === 'results')
