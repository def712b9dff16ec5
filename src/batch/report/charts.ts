import { categoryOf, type ScoredItem } from '../score/items.ts'
import { isCorrect, type Scored } from '../score/score.ts'
import type { Summary } from '../score/summary.ts'
import { calibrationChart } from './chart-calibration.ts'
import { barChart, type Counted, columnChart } from './chart-counts.ts'
import { type IntervalRow, intervalChart } from './chart-intervals.ts'
import { type SpendPoint, spendChart } from './chart-spend.ts'
import { escapeHtml, highest, legend } from './svg.ts'

export interface ChartMaterial {
  readonly summary: Summary
  readonly items: readonly ScoredItem[]
  readonly scored: readonly Scored[]
}

/** All charts of a report, each a figure with its title and one sentence. */
export function chartsOf({ summary, items, scored }: ChartMaterial): string {
  const { hle, categories } = summary
  return [
    figure(
      'Scores',
      'Shares of correct answers; the bars are 95 % intervals.',
      intervalChart(scoreRows(summary), 'Scores'),
    ),
    spendFigure(items),
    figure('Steps', `Attempts by how many steps they took. ${LEGEND}`, columnChart(stepColumns(scored), 'steps')),
    endingFigure(scored),
    ...(categories === undefined || categories.groups.length < 2
      ? []
      : [
          figure(
            `By ${escapeHtml(categories.field)}`,
            `Shares of correct answers; the bars are 95 % intervals.${first(MOST_CATEGORIES, categories.groups.length)}`,
            intervalChart(categories.groups.slice(0, MOST_CATEGORIES), 'Scores'),
          ),
        ]),
    ...(hle === undefined || hle.calibration.length === 0
      ? []
      : [
          figure(
            'Calibration',
            `How sure answers are against how often they are right. Error: ${(hle.calibrationError ?? 0).toFixed(1)} %.`,
            calibrationChart(hle.calibration),
          ),
        ]),
  ].join('\n')
}

const [MOST_CATEGORIES, MOST_ENDINGS] = [24, 12]
const first = (most: number, of: number): string => (of <= most ? '' : ` The first ${most} of ${of}.`)

const LEGEND = `${legend('good', 'correct')} ${legend('bad', 'not')}`

/** `told` is markup. */
const figure = (title: string, told: string, chart: string): string =>
  `<figure><figcaption><h2>${title}</h2><p>${told}</p></figcaption>${chart}</figure>`

function scoreRows({ rounds, averagePassAt1, passAt }: Summary): IntervalRow[] {
  if (rounds.length === 1) return [{ name: 'Pass@1', ...averagePassAt1, isMain: true }]
  return [
    ...rounds.map((round) => ({ name: `rollout ${round.rollout}`, ...round })),
    { name: 'Pass@1, average', ...averagePassAt1, isMain: true },
    ...passAt.slice(1).map((each) => ({ name: `Pass@${each.k}`, ...each })),
  ]
}

function spendFigure(items: readonly ScoredItem[]): string {
  const isPriced = items.every(({ cost }) => cost !== undefined)
  const points = items.map((item): SpendPoint => {
    const spend = isPriced ? (item.cost ?? 0) : tokensOf(item)
    return { spend, share: item.correct / item.attempts.length, name: item.id }
  })
  const format = (spend: number): string => (isPriced ? dollars(spend) : short(spend))
  return figure(
    'Spend against score',
    'Each point is one item: what an attempt took on average, and which share is correct. Lines are medians.',
    spendChart(points, isPriced ? 'US dollars an attempt' : 'tokens an attempt', format),
  )
}

/** Small ones by their first digits: not every model has cents. */
const dollars = (spend: number): string => `$${spend < 0.01 ? +spend.toPrecision(2) : +spend.toFixed(4)}`

const short = (count: number): string =>
  count >= 1e6 ? `${+(count / 1e6).toFixed(1)}M` : count >= 1e3 ? `${+(count / 1e3).toFixed(1)}k` : `${count}`

/** As the service counted them, else by estimate. */
function tokensOf({ attempts }: ScoredItem): number {
  const each = attempts.map(({ figures }) =>
    figures.inputTokens === undefined ? figures.transcriptTokens : figures.inputTokens + (figures.outputTokens ?? 0),
  )
  return each.reduce((total, tokens) => total + tokens, 0) / each.length
}

const MOST_COLUMNS = 25

/** One column for each number of steps, or for so many of them that the columns can be told apart. */
function stepColumns(scored: readonly Scored[]): Counted[] {
  const most = highest(scored.map(({ figures }) => figures.turns))
  const least = scored.reduce((low, { figures }) => Math.min(low, figures.turns), most)
  const wide = Math.ceil((most - least + 1) / MOST_COLUMNS)
  return Array.from({ length: Math.ceil((most - least + 1) / wide) }, (_, n) => {
    const [from, to] = [least + n * wide, least + (n + 1) * wide - 1]
    const inside = scored.filter(({ figures }) => figures.turns >= from && figures.turns <= to)
    return counted(wide === 1 ? `${from}` : `${from}–${to}`, inside)
  })
}

function endingFigure(scored: readonly Scored[]): string {
  const groups = Array.from(Map.groupBy(scored, endingOf), ([name, inside]) => counted(name, inside))
  const sorted = groups.toSorted((a, b) => b.correct + b.other - a.correct - a.other)
  const told = `How the attempts ended.${first(MOST_ENDINGS, groups.length)} ${LEGEND}`
  return figure('Endings', told, barChart(sorted.slice(0, MOST_ENDINGS), scored.length))
}

const endingOf = ({ error, termination }: Scored): string => (error === undefined ? termination : 'not really tried')

function counted(name: string, attempts: readonly Scored[]): Counted {
  const correct = attempts.filter(isCorrect).length
  return { name, correct, other: attempts.length - correct }
}

/** The category of an item as the list of items shows it. */
export const categoryShown = (item: ScoredItem, { categories }: Summary): string =>
  categories === undefined ? '' : categoryOf(item, categories.field)
