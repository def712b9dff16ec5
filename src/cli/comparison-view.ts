import type { Comparison } from '../batch/score/compare.ts'
import { type Paint, paintFor } from './paint.ts'
import { short } from './printable.ts'
import { aligned, hundred, type Line, type Stream } from './score-view.ts'

/** What a person decides by: one set against the first in full, several as a row each. */
export function comparisonTable(comparisons: readonly Comparison[], stream: Stream): string {
  const paint = paintFor(stream)
  const [only, another] = comparisons
  if (only === undefined) return ''
  return another === undefined ? inFull(only, paint) : inRows(comparisons, paint)
}

function inFull(comparison: Comparison, paint: Paint): string {
  const { first, second, wins, losses, ties, p, scores, notJudged } = comparison
  const means = scores === undefined ? [] : [['score', `${hundred(scores.first)} → ${hundred(scores.second)}`] as const]
  const unpaired = unpairedIn(comparison)
  const lines: Line[] = [
    ...means,
    ['wins', `${wins}`],
    ['losses', `${losses}`],
    ['ties', `${ties}`],
    ['sign test', `p = ${p.toPrecision(3)}`, chance(p)],
    ...(unpaired === 0 ? [] : [['not paired', `${unpaired}`, 'in one of them only'] as const]),
    ...(notJudged === 0 ? [] : [['not compared', `${notJudged}`, 'not judged in both'] as const]),
  ]
  return [paint.strong(`${short(second)} against ${short(first)}`), ...aligned(lines, paint)].join('\n')
}

function inRows(comparisons: readonly Comparison[], paint: Paint): string {
  const head = ['', 'score', 'wins', 'losses', 'ties', 'alone', 'open', 'p', 'by Holm', '']
  const rows = comparisons.map((comparison) => {
    const { second, scores, wins, losses, ties, notJudged, p, adjustedP = p } = comparison
    const score = scores === undefined ? '–' : `${hundred(scores.first)} → ${hundred(scores.second)}`
    const counts = [wins, losses, ties, unpairedIn(comparison), notJudged].map(String)
    return [short(second, 40), score, ...counts, p.toPrecision(3), adjustedP.toPrecision(3), chance(adjustedP)]
  })
  const wide = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)))
  const padded = (cell: string, at: number): string =>
    at === 0 ? cell.padEnd(wide[at] ?? 0) : at === head.length - 1 ? cell : cell.padStart(wide[at] ?? 0)
  const lineOf = (row: readonly string[]): string => `  ${row.map(padded).join('  ')}`.trimEnd()
  const what = `alone: items of one set only; open: not judged in both; p: sign test, raised by Holm as ${rows.length} were tried`
  return [
    paint.strong(`Against ${short(comparisons[0]?.first ?? '')}`),
    paint.faint(lineOf(head)),
    ...rows.map(lineOf),
    paint.faint(`  ${what}`),
  ].join('\n')
}

const unpairedIn = ({ onlyFirst, onlySecond }: Comparison): number => onlyFirst + onlySecond
const chance = (p: number): string => (p < 0.05 ? 'more than chance' : 'may be chance')
