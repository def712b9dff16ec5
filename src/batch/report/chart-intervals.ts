import type { Share } from '../score/shares.ts'
import { drawing, element, label, line, percent, text, tooltip } from './svg.ts'

export interface IntervalRow extends Share {
  readonly name: string
  /** Drawn heavier. */
  readonly isMain?: boolean
}

const [WIDTH, LEFT, RIGHT, ROW, TOP] = [520, 168, 72, 30, 8]
const at = (share: number): number => LEFT + share * (WIDTH - LEFT - RIGHT)

/** Shares on one scale from 0 to 100 %, each with the interval it is known to. */
export function intervalChart(rows: readonly IntervalRow[], what: string): string {
  const bottom = TOP + rows.length * ROW
  const scale = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      line([at(share), TOP], [at(share), bottom], 'grid') +
      text(at(share), bottom + 16, `${share * 100}`, { class: 'tick', 'text-anchor': 'middle' }),
  )
  const said = rows.map(({ name, share }) => `${name} ${share === undefined ? 'unknown' : percent(share)}`)
  return drawing(
    WIDTH,
    bottom + 24,
    `${what}: ${said.join(', ')}`,
    scale.join('') + rows.map((row, n) => drawRow(row, TOP + n * ROW + ROW / 2)).join(''),
  )
}

function drawRow({ name, share, low, high, of, isMain }: IntervalRow, y: number): string {
  const weight = isMain === true ? ' main' : ''
  const named = label(LEFT - 12, y + 4, name, 19, { class: `label${weight}`, 'text-anchor': 'end' })
  if (share === undefined || low === undefined || high === undefined)
    return named + text(WIDTH - RIGHT + 10, y + 4, '–', { class: 'value' })
  const spoken = `${name}: ${percent(share)}, 95 % interval ${percent(low)} to ${percent(high)}, of ${of}`
  const mark =
    element('rect', {
      x: at(low),
      y: y - 4,
      width: Math.max(1, at(high) - at(low)),
      height: 8,
      rx: 4,
      class: `reach${weight}`,
    }) + element('circle', { cx: at(share), cy: y, r: isMain === true ? 6.5 : 5, class: `dot${weight}` })
  return (
    named +
    element('g', {}, tooltip(spoken) + mark) +
    text(WIDTH - RIGHT + 10, y + 4, percent(share), { class: `value${weight}` })
  )
}
