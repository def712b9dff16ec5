import { drawing, element, highest, label, line, text, ticks, tooltip } from './svg.ts'

/** How many attempts, and how many of them are right. */
export interface Counted {
  readonly name: string
  readonly correct: number
  readonly other: number
}

const WIDTH = 520

/** Columns over a scale: how many attempts took so many steps. */
export function columnChart(columns: readonly Counted[], unit: string): string {
  const [height, left, right, top, bottom] = [260, 40, 16, 12, 40]
  const marks = ticks(highest(columns.map(allOf))).filter(Number.isInteger)
  const most = marks.at(-1) ?? 1
  const [slot, floor] = [(WIDTH - left - right) / Math.max(1, columns.length), height - bottom]
  const y = (count: number): number => floor - (count / most) * (floor - top)
  const every = Math.ceil(columns.length / 14)
  const drawn = columns.map((column, n) => {
    const [x, width] = [left + n * slot + slot * 0.12, slot * 0.76]
    const good = element('rect', {
      x,
      width,
      y: y(column.correct),
      height: floor - y(column.correct),
      class: 'bar good',
    })
    const bad = element('rect', {
      x,
      width,
      y: y(allOf(column)),
      height: y(column.correct) - y(allOf(column)),
      class: 'bar bad',
    })
    const named =
      n % every === 0 ? text(x + width / 2, floor + 16, column.name, { class: 'tick', 'text-anchor': 'middle' }) : ''
    return element('g', {}, tooltip(spoken(column)) + good + bad) + named
  })
  const scale = marks.map(
    (mark) =>
      line([left, y(mark)], [WIDTH - right, y(mark)], 'grid') +
      text(left - 8, y(mark) + 4, `${mark}`, { class: 'tick', 'text-anchor': 'end' }),
  )
  const under = text((left + WIDTH - right) / 2, height - 6, unit, { class: 'axis', 'text-anchor': 'middle' })
  return drawing(WIDTH, height, columns.map(spoken).join('; '), scale.join('') + drawn.join('') + under)
}

/** Bars with their names above them, which may be long, and their shares of `total`. */
export function barChart(bars: readonly Counted[], total: number): string {
  const [row, right] = [46, 136]
  const most = Math.max(1, highest(bars.map(allOf)))
  const wide = (count: number): number => (count / most) * (WIDTH - right)
  const drawn = bars.map((bar, n) => {
    const y = n * row
    const good = element('rect', { x: 0, y: y + 22, width: wide(bar.correct), height: 14, class: 'bar good' })
    const bad = element('rect', {
      x: wide(bar.correct),
      y: y + 22,
      width: wide(bar.other),
      height: 14,
      class: 'bar bad',
    })
    const share = `${allOf(bar).toLocaleString('en')} · ${((allOf(bar) / total) * 100).toFixed(1)} %`
    return (
      label(0, y + 14, bar.name, 66, { class: 'label' }) +
      element('g', {}, tooltip(spoken(bar)) + good + bad) +
      text(wide(allOf(bar)) + 8, y + 33, share, { class: 'tick' })
    )
  })
  return drawing(WIDTH, Math.max(1, bars.length) * row, bars.map(spoken).join('; '), drawn.join(''))
}

const allOf = ({ correct, other }: Counted): number => correct + other
const spoken = (bar: Counted): string => `${bar.name}: ${allOf(bar)}, of them ${bar.correct} correct`
