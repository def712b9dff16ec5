import type { ScoredSet } from '../app/score-files.ts'
import type { HleReport } from '../batch/score/hle.ts'
import type { Share } from '../batch/score/shares.ts'
import type { Statistics } from '../batch/score/statistics.ts'
import type { Summary } from '../batch/score/summary.ts'
import { count, duration, spend } from './amounts.ts'
import { type Paint, paintFor } from './paint.ts'
import { short } from './printable.ts'

export interface Stream {
  readonly isTTY?: boolean
}

export type Line = readonly [label: string, value: string, note?: string]

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

function doubts({ notJudged, limit, missing, failed, unjudged, problems }: Summary, { bad }: Paint): string[] {
  const cut = `Not whole: ${count(notJudged, 'attempt')} not judged, counted nowhere. The limit --max-${limit} was reached;`
  return [
    ...(notJudged === 0 ? [] : [bad(`${cut} the same command goes on.`)]),
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
  const asked = judgeUsage === undefined ? [] : [['asked now', spend(judgeUsage)] as const]
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

export function aligned(lines: readonly Line[], { faint }: Paint): string[] {
  const [wide, value] = [0, 1].map((at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) as [number, number]
  return lines.map(([label, text, note]) =>
    `  ${label.padEnd(wide)}  ${text.padStart(value)}${note === undefined ? '' : `  ${faint(note)}`}`.trimEnd(),
  )
}

export const hundred = (share: number): string => `${(share * 100).toFixed(2)} %`
const percent = ({ share }: Share): string => (share === undefined ? '–' : hundred(share))
const interval = ({ low, high }: Share): string =>
  low === undefined || high === undefined ? '' : `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)}`
