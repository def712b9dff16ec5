import type { Sample } from './lab.ts'
import { FLOOR, type SectionName, TAO } from './sections.ts'

/** A sample with where it belongs. */
export interface Placed extends Sample {
  readonly section: SectionName
  /** Which job of the section. */
  readonly job: number
  readonly round: number
  readonly runner: string
}

export interface Figure {
  /** Middle of the rounds, each in its own unit. */
  readonly floor: number | undefined
  readonly tao: number
  /** What gate and stretch are about: middle, smallest and largest of the rounds. */
  readonly ratio: number
  readonly from: number
  readonly to: number
}

export type Key = 'cpuMs' | 'stepsPerSecond' | 'peakMB' | 'coldMs'

/** What is put beside the floor, and in which respect. */
export interface Place {
  readonly section: SectionName
  readonly job?: number
  readonly key: Key
  /** Default: Tao. */
  readonly runner?: string
}

/** Ratios are taken within a round, so that a busy minute of the machine falls on both. */
export function besideFloor(all: readonly Placed[], place: Place): Figure | undefined {
  const { section, job = 0, key, runner: measured = TAO } = place
  const of = (runner: string) =>
    all.filter((each) => each.section === section && each.job === job && each.runner === runner)
  const floors = of(FLOOR)
  const ratios = of(measured).flatMap((sample) => {
    const floor = floors.find((each) => each.round === sample.round)
    return floor === undefined ? [] : [sample[key] / floor[key]]
  })
  const floor = median(floors.map((each) => each[key]))
  return figure(floor, median(of(measured).map((each) => each[key])), ratios)
}

/** Tao's later job beside its earlier one, within a round. */
export function besideItself(
  all: readonly Placed[],
  section: SectionName,
  jobs: readonly [number, number],
  key: 'cpuMs' | 'journalBytes',
): Figure | undefined {
  const of = (job: number) => all.filter((each) => each.section === section && each.job === job && each.runner === TAO)
  const ratios = of(jobs[1]).flatMap((sample) => {
    const before = of(jobs[0]).find((each) => each.round === sample.round)
    return before === undefined ? [] : [sample[key] / before[key]]
  })
  return figure(undefined, median(ratios), ratios)
}

/** Bytes of the journal for each byte of the conversation that it keeps. */
export function journalOverhead(all: readonly Placed[], job: number): Figure | undefined {
  const ratios = all
    .filter((each) => each.section === 'journal' && each.job === job)
    .map((each) => each.journalBytes / each.longest)
  return figure(undefined, median(ratios), ratios)
}

function figure(floor: number | undefined, tao: number | undefined, ratios: readonly number[]): Figure | undefined {
  const ratio = median(ratios)
  if (tao === undefined || ratio === undefined) return undefined
  return { floor, tao, ratio, from: Math.min(...ratios), to: Math.max(...ratios) }
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
