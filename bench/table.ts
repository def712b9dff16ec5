import { besideFloor, besideItself, type Figure, journalOverhead, type Placed } from './figures.ts'
import { TAO_ENTRY } from './sections.ts'

interface Measure {
  readonly name: string
  /** What the fastest peer took, as it stands in the table of the design. */
  readonly peer: string
  readonly unit: string
  readonly bound: 'at most' | 'at least'
  readonly gate: number
  readonly stretch?: number
  readonly figure: (all: readonly Placed[]) => Figure | undefined
}

const most = { bound: 'at most' } as const
const least = { bound: 'at least' } as const

/** The peers' floor had Zod loaded, so only the second line compares with them. */
const COLD_STARTS = [
  { name: '', peer: '–', job: 0 },
  { name: ', Zod in both', peer: '1.44×', job: 1 },
  { name: ', by the package entry', peer: '–', job: 0, runner: TAO_ENTRY },
  { name: ', by the entry, Zod in both', peer: '1.44×', job: 1, runner: TAO_ENTRY },
]

const MEASURES: readonly Measure[] = [
  ...([10, 100, 400] as const).map((steps, job) => ({
    name: `CPU per step at ${steps} steps`,
    peer: ['1.69×', '2.15×', '1.68×'][job] ?? '',
    unit: 'ms',
    ...most,
    gate: [1, 0.55, 0.25][job] ?? 0,
    stretch: [0.75, 0.4, 0.18][job] ?? 0,
    figure: (all: readonly Placed[]) => besideFloor(all, { section: 'steps', job, key: 'cpuMs' }),
  })),
  {
    name: 'CPU per step, 400 ÷ 10 steps',
    peer: '2.7×',
    unit: '',
    ...most,
    gate: 1.5,
    stretch: 1.25,
    figure: (all) => besideItself(all, 'steps', [0, 2], 'cpuMs'),
  },
  {
    name: 'streaming, 100 steps, CPU',
    peer: '2.43×',
    unit: 'ms',
    ...most,
    gate: 0.6,
    stretch: 0.45,
    figure: (all) => besideFloor(all, { section: 'stream', key: 'cpuMs' }),
  },
  {
    name: 'every commit on disk, 100 steps, CPU',
    peer: '2.76×',
    unit: 'ms',
    ...most,
    gate: 0.75,
    stretch: 0.6,
    figure: (all) => besideFloor(all, { section: 'durable', key: 'cpuMs' }),
  },
  {
    name: '500 runs at once, steps/s',
    peer: '0.47×',
    unit: '/s',
    ...least,
    gate: 1,
    stretch: 1.4,
    figure: (all) => besideFloor(all, { section: 'concurrent', key: 'stepsPerSecond' }),
  },
  {
    name: '500 runs at once, peak memory',
    peer: '1.38×',
    unit: 'MB',
    ...most,
    gate: 0.75,
    stretch: 0.55,
    figure: (all) => besideFloor(all, { section: 'concurrent', key: 'peakMB' }),
  },
  {
    name: 'peak memory, 400 steps',
    peer: '1.42×',
    unit: 'MB',
    ...most,
    gate: 0.65,
    stretch: 0.5,
    figure: (all) => besideFloor(all, { section: 'steps', job: 2, key: 'peakMB' }),
  },
  ...COLD_STARTS.map(({ name, peer, ...place }) => ({
    name: `cold start to first request${name}`,
    peer,
    unit: 'ms',
    ...most,
    gate: 1.8,
    stretch: 1.5,
    figure: (all: readonly Placed[]) => besideFloor(all, { section: 'cold', key: 'coldMs', ...place }),
  })),
  {
    name: 'journal ÷ conversation, bytes at 400 steps',
    peer: '9×',
    unit: '',
    ...most,
    gate: 2.5,
    stretch: 1.5,
    figure: (all) => journalOverhead(all, 1),
  },
  {
    name: 'journal at 400 ÷ at 100 steps',
    peer: '7.6×',
    unit: '',
    ...most,
    gate: 4.2,
    figure: (all) => besideItself(all, 'journal', [0, 1], 'journalBytes'),
  },
]

const HEAD = ['measure', 'fastest peer', 'bare loop', 'Tao', 'ratio (rounds)', 'gate', 'stretch', 'holds']

/** The table as Markdown, a line for each measure that the samples speak of. */
export function table(all: readonly Placed[]): string {
  const lines = MEASURES.flatMap((measure) => {
    const figure = measure.figure(all)
    return figure === undefined ? [] : [row(measure, figure)]
  })
  return [HEAD, HEAD.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function row(measure: Measure, { floor, tao, ratio, from, to }: Figure): string[] {
  const { name, peer, unit, bound, gate, stretch } = measure
  const sign = bound === 'at most' ? '≤' : '≥'
  const inUnit = (value: number | undefined) => (value === undefined || unit === '' ? '–' : `${digits(value)} ${unit}`)
  return [
    name,
    peer,
    inUnit(floor),
    inUnit(tao),
    `${digits(ratio)}×${from === to ? '' : ` (${digits(from)}–${digits(to)})`}`,
    `${sign} ${gate}×`,
    stretch === undefined ? '–' : `${sign} ${stretch}×`,
    verdict(measure, ratio),
  ]
}

function verdict({ bound, gate, stretch }: Measure, ratio: number): string {
  const holds = (goal: number | undefined): boolean =>
    goal !== undefined && (bound === 'at most' ? ratio <= goal : ratio >= goal)
  if (holds(stretch)) return 'stretch'
  return holds(gate) ? 'gate' : '**no**'
}

const digits = (value: number): string => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)
