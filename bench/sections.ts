import type { Job } from './worker.ts'

/** Measured together: the same jobs for each runner in each round. */
export interface Section {
  readonly name: SectionName
  readonly what: string
  readonly runners: readonly string[]
  readonly jobs: readonly Omit<Job, 'runner'>[]
  /** Rounds where the figure needs more, or fewer, than were asked for. */
  readonly rounds: (asked: number) => number
}

export type SectionName = 'steps' | 'stream' | 'durable' | 'concurrent' | 'cold' | 'journal'

export const FLOOR = 'bare-fetch'
export const TAO = 'tao'
/** Tao through the package's entry, which loads more than the parts that a runner picks. */
export const TAO_ENTRY = 'tao-entry'
const BOTH = [FLOOR, TAO]

/** A code gets faster for a thousand steps and more; 210 are given to each process before it is measured. */
const WARM = { atOnce: 1, text: 0, stream: false, everyCommitDurable: false, zodAnyway: false, warmUpRuns: 10 } as const
const COLD = { ...WARM, runs: 1, warmUpRuns: 0 } as const

/** A start takes so little time that chance decides about a few of them. */
const COLD_ROUNDS = 11

const asAsked = (asked: number): number => asked

export const SECTIONS: readonly Section[] = [
  {
    name: 'steps',
    what: 'CPU per step and peak memory of runs of 10, 100 and 400 steps',
    runners: BOTH,
    jobs: [
      { ...WARM, rounds: 10, runs: 40 },
      { ...WARM, rounds: 100, runs: 4 },
      { ...WARM, rounds: 400, runs: 1 },
    ],
    rounds: asAsked,
  },
  {
    name: 'stream',
    what: 'streamed replies with 200 bytes of text each',
    runners: BOTH,
    jobs: [{ ...WARM, rounds: 100, runs: 4, stream: true, text: 200 }],
    rounds: asAsked,
  },
  {
    name: 'durable',
    what: 'every commit on disk before the run goes on',
    runners: BOTH,
    jobs: [{ ...WARM, rounds: 100, runs: 4, everyCommitDurable: true }],
    rounds: asAsked,
  },
  {
    name: 'concurrent',
    what: '500 runs at once in one process',
    runners: BOTH,
    jobs: [{ ...WARM, rounds: 20, runs: 500, atOnce: 500 }],
    rounds: asAsked,
  },
  {
    name: 'cold',
    what: 'from the start of the process to the arrival of its first request',
    runners: [...BOTH, TAO_ENTRY],
    jobs: [
      { ...COLD, rounds: 1 },
      { ...COLD, rounds: 1, zodAnyway: true },
    ],
    rounds: (asked) => Math.max(asked, COLD_ROUNDS),
  },
  {
    name: 'journal',
    what: 'size of the journal; the same each time, so measured once',
    runners: [TAO],
    jobs: [
      { ...COLD, rounds: 100 },
      { ...COLD, rounds: 400 },
    ],
    rounds: () => 1,
  },
]
