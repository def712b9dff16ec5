import type { CalibrationBin } from '../score/hle.ts'
import { drawing, element, highest, line, text, tooltip } from './svg.ts'

const [SIZE, LEFT, TOP, BOTTOM, WIDTH] = [220, 150, 10, 42, 520]
const x = (share: number): number => LEFT + share * SIZE
const y = (share: number): number => TOP + (1 - share) * SIZE

/** How sure answers are against how often they are right; on the diagonal both agree. */
export function calibrationChart(bins: readonly CalibrationBin[]): string {
  const most = Math.max(1, highest(bins.map(({ of }) => of)))
  const scale = [0, 0.5, 1].map(
    (share) =>
      line([x(share), y(0)], [x(share), y(1)], 'grid') +
      line([x(0), y(share)], [x(1), y(share)], 'grid') +
      text(x(share), y(0) + 16, `${share * 100}`, { class: 'tick', 'text-anchor': 'middle' }) +
      text(x(0) - 8, y(share) + 4, `${share * 100}`, { class: 'tick', 'text-anchor': 'end' }),
  )
  const dots = bins.map(({ of, confidence, accuracy }) =>
    element(
      'circle',
      { cx: x(confidence), cy: y(accuracy), r: 4 + 4 * Math.sqrt(of / most), class: 'dot' },
      tooltip(`${of} answers`),
    ),
  )
  const named =
    text(x(0.5), y(0) + 34, 'how sure the answers are, %', { class: 'axis', 'text-anchor': 'middle' }) +
    text(x(0) - 40, y(0.5), 'correct, %', { class: 'axis', 'text-anchor': 'end' })
  const body = scale.join('') + line([x(0), y(0)], [x(1), y(1)], 'median') + dots.join('') + named
  return drawing(WIDTH, TOP + SIZE + BOTTOM, `Calibration of ${bins.length} groups of answers`, body)
}
