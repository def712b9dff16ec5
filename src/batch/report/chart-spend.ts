import { drawing, element, highest, line, percent, text, ticks, tooltip } from './svg.ts'

/** One item: what its attempts took on average, and which share of them is right. */
export interface SpendPoint {
  readonly spend: number
  readonly share: number
  readonly name: string
}

const [WIDTH, LEFT, RIGHT, TOP, BOTTOM] = [520, 52, 16, 12, 40]
const [LEAST_HEIGHT, LANE] = [260, 36]
/** Names of lanes that are closer would stand in each other. */
const CLOSEST = 18
/** How far points of one lane are spread, so that they do not hide each other. */
const SPREAD = 15

/** What right and wrong answers cost: one point an item, one lane a share, and the median of each lane. */
export function spendChart(points: readonly SpendPoint[], unit: string, format: (spend: number) => string): string {
  const marks = ticks(highest(points.map(({ spend }) => spend)))
  const most = marks.at(-1) ?? 1
  const x = (spend: number): number => LEFT + (spend / most) * (WIDTH - LEFT - RIGHT)
  const lanes = Map.groupBy(points, ({ share }) => share)
  const floor = Math.max(LEAST_HEIGHT - BOTTOM, TOP + lanes.size * LANE)
  const y = (share: number): number => floor - 24 - share * (floor - 24 - TOP - 24)
  const drawn = points.map((point, n) =>
    element(
      'circle',
      { cx: x(point.spend), cy: y(point.share) + spreadOf(n), r: 3.2, class: `point ${toneOf(point.share)}` },
      points.length <= 300 ? tooltip(`${point.name}: ${format(point.spend)}`) : '',
    ),
  )
  const axis = marks.map(
    (mark) =>
      line([x(mark), TOP], [x(mark), floor], 'grid') +
      text(x(mark), floor + 16, format(mark), { class: 'tick', 'text-anchor': 'middle' }),
  )
  const named = apart([...lanes.keys()], y).map((share) =>
    text(LEFT - 10, y(share) + 4, percent(share, 0), { class: 'tick', 'text-anchor': 'end' }),
  )
  const medians = Array.from(lanes, ([share, lane]) => {
    const middle = x(medianOf(lane.map(({ spend }) => spend)))
    return line([middle, y(share) - SPREAD - 5], [middle, y(share) + SPREAD + 5], 'median')
  })
  const under = text((LEFT + WIDTH - RIGHT) / 2, floor + BOTTOM - 6, unit, { class: 'axis', 'text-anchor': 'middle' })
  return drawing(
    WIDTH,
    floor + BOTTOM,
    `Spend against score, ${points.length} items`,
    [...axis, ...named, ...drawn, ...medians, under].join(''),
  )
}

/** Of values in their order those that can be told apart where they stand. */
function apart(values: readonly number[], place: (value: number) => number): number[] {
  const kept: number[] = []
  for (const value of values.toSorted((a, b) => a - b)) {
    const last = kept.at(-1)
    if (last === undefined || Math.abs(place(value) - place(last)) >= CLOSEST) kept.push(value)
  }
  return kept
}

/** Even and always the same: the golden ratio. */
const spreadOf = (n: number): number => (((n * 0.618034) % 1) - 0.5) * 2 * SPREAD

const toneOf = (share: number): string => (share === 1 ? 'good' : share === 0 ? 'bad' : 'some')

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
