import type { ScoredSet } from '../app/score-files.ts'
import type { Comparison } from '../batch/score/compare.ts'
import type { HleReport } from '../batch/score/hle.ts'
import type { Share } from '../batch/score/shares.ts'
import type { Statistics } from '../batch/score/statistics.ts'
import type { Summary } from '../batch/score/summary.ts'
import { count, duration } from './amounts.ts'
import { type Paint, paintFor } from './paint.ts'
import { short } from './printable.ts'

interface Stream {
  readonly isTTY?: boolean
}

type Line = readonly [label: string, value: string, note?: string]

/** A summary as a person reads it. What is not known is left out. */
export function scoreTable({ name, summary }: ScoredSet, stream: Stream, { brief = false } = {}): string {
  const paint = paintFor(stream)
  const judge = `${summary.judge}${summary.judgeModel === undefined ? '' : ` (${summary.judgeModel})`}`
  const head = `${paint.strong(short(name))}  ${count(summary.items, 'item')}, ${count(summary.rollouts, 'rollout')}, judge ${short(judge)}`
  return [
    head,
    ...doubts(summary, paint),
    '',
    ...aligned(scoreLines(summary), paint),
    ...(brief ? [] : tail(summary, paint)),
  ].join('\n')
}

function doubts({ missing, failed, unjudged, problems }: Summary, { bad }: Paint): string[] {
  return [
    ...(missing === 0 ? [] : [bad(`Not whole: ${count(missing, 'rollout')} without a record, counted nowhere.`)]),
    ...(failed === 0 ? [] : [bad(`${count(failed, 'attempt')} not really tried, counted as not correct.`)]),
    ...(unjudged === 0 ? [] : [bad(`${count(unjudged, 'attempt')} could not be judged, counted as not correct.`)]),
    ...problems.slice(0, 3).map((problem) => bad(short(problem, 200))),
    ...(problems.length <= 3 ? [] : [bad(`and ${problems.length - 3} more lines that are no records`)]),
  ]
}

function scoreLines(summary: Summary): Line[] {
  const { rounds, averagePassAt1, bestPassAt1, passAt } = summary
  const last = passAt.at(-1)
  if (rounds.length === 1) return [['Pass@1', percent(averagePassAt1), interval(averagePassAt1)]]
  return [
    ...rounds.map((round): Line => [`Pass@1, rollout ${round.rollout}`, percent(round), interval(round)]),
    ['Pass@1, average', percent(averagePassAt1), interval(averagePassAt1)],
    ...(bestPassAt1 === undefined ? [] : [['Pass@1, best', percent(bestPassAt1)] as const]),
    ...(last === undefined ? [] : [[`Pass@${last.k}`, percent(last), interval(last)] as const]),
  ]
}

function tail({ statistics, solved, terminations, categories, hle, judgeUsage }: Summary, paint: Paint): string[] {
  const group = (title: string, lines: readonly Line[]): string[] =>
    lines.length === 0 ? [] : ['', paint.strong(title), ...aligned(lines, paint)]
  const frequencies = Object.entries(terminations).map(
    ([text, n]): Line => [short(text, 60), `${((n / statistics.attempts) * 100).toFixed(1)} %`, `${n}`],
  )
  const groups = categories?.groups.map((each): Line => [short(each.name, 40), percent(each), interval(each)]) ?? []
  const asked = judgeUsage === undefined ? [] : [['asked now', `${count(judgeUsage.output, 'output token')}`] as const]
  return [
    ...group('An attempt, on average', statisticLines(statistics)),
    ...group('A correct one', solved.attempts === 0 ? [] : statisticLines(solved)),
    ...group('Endings', frequencies),
    ...group(`By ${categories?.field ?? ''}`, groups),
    ...group("Humanity's Last Exam", hle === undefined ? [] : hleLines(hle)),
    ...group('Judge', asked),
  ]
}

function statisticLines(figures: Statistics): Line[] {
  const number = (label: string, value: number | undefined): Line[] =>
    value === undefined ? [] : [[label, value.toLocaleString('en', { maximumFractionDigits: 2 })]]
  const { cost, durationMs } = figures
  return [
    ...number('turns', figures.turns),
    ...number('tool calls', figures.toolCalls),
    ...Object.entries(figures.tools).flatMap(([name, value]) => number(`  ${short(name, 30)}`, value)),
    ...number('input tokens', figures.inputTokens),
    ...number('output tokens', figures.outputTokens),
    ...(cost === undefined ? [] : [['cost', `$${cost.toFixed(4)}`] as const]),
    ...(durationMs === undefined ? [] : [['time', duration(durationMs)] as const]),
    ...(figures.invalid === 0 ? [] : [['without an answer', `${figures.invalid} of ${figures.attempts}`] as const]),
  ]
}

const hleLines = ({ valid, evaluated, calibrationError, answered }: HleReport): Line[] => [
  ['judged', `${valid} of ${evaluated}`],
  ['with an answer', percent(answered), interval(answered)],
  ...(calibrationError === undefined ? [] : [['calibration error', `${calibrationError.toFixed(1)} %`] as const]),
]

/** What a person decides by. */
export function comparisonTable(comparison: Comparison, stream: Stream): string {
  const { first, second, wins, losses, ties, p, scores, onlyFirst, onlySecond } = comparison
  const paint = paintFor(stream)
  const means = scores === undefined ? [] : [['score', `${hundred(scores.first)} → ${hundred(scores.second)}`] as const]
  const unpaired = onlyFirst + onlySecond
  const lines: Line[] = [
    ...means,
    ['wins', `${wins}`],
    ['losses', `${losses}`],
    ['ties', `${ties}`],
    ['sign test', `p = ${p.toPrecision(3)}`, p < 0.05 ? 'more than chance' : 'may be chance'],
    ...(unpaired === 0 ? [] : [['not paired', `${unpaired}`, 'in one of them only'] as const]),
  ]
  return [paint.strong(`${short(second)} against ${short(first)}`), ...aligned(lines, paint)].join('\n')
}

function aligned(lines: readonly Line[], { faint }: Paint): string[] {
  const [wide, value] = [0, 1].map((at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) as [number, number]
  return lines.map(([label, text, note]) =>
    `  ${label.padEnd(wide)}  ${text.padStart(value)}${note === undefined ? '' : `  ${faint(note)}`}`.trimEnd(),
  )
}

const hundred = (share: number): string => `${(share * 100).toFixed(2)} %`
const percent = ({ share }: Share): string => (share === undefined ? '–' : hundred(share))
const interval = ({ low, high }: Share): string =>
  low === undefined || high === undefined ? '' : `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)}`
