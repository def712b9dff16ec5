import type { Usage } from '../../core/usage.ts'
import type { Attempt } from './attempt.ts'
import { type HleReport, hleReport } from './hle.ts'
import { categoryField, categoryOf, itemsOf, type ScoredItem } from './items.ts'
import type { Judge } from './judge.ts'
import type { JudgeLimits } from './judge-budget.ts'
import { isCorrect, type Scored } from './score.ts'
import { mean, passAtK, type Share, shareOf, wilson } from './shares.ts'
import { countsOf, type Statistics, statisticsOf } from './statistics.ts'

/** Everything that is said of a result set. It stands in `summary.json`. */
export interface Summary {
  readonly formatVersion: 1
  readonly files: readonly string[]
  readonly judge: string
  /** `provider/model` of the judge; and what its calls used now, those that gave no judgement included. */
  readonly judgeModel?: string
  readonly judgeUsage?: Usage
  readonly models: readonly string[]
  readonly items: number
  readonly rollouts: number
  /** Those that were judged, as are all figures. */
  readonly attempts: number
  /** Left out of all figures, since the limit was reached before they were judged: a set with any is not whole. */
  readonly notJudged: number
  readonly limit?: keyof JudgeLimits
  /** Rollouts of known items that have no record. */
  readonly missing: number
  /** Not really tried; not judged. Both count as not correct. */
  readonly failed: number
  readonly unjudged: number
  /** Lines that are no records. */
  readonly problems: readonly string[]
  readonly rounds: readonly Round[]
  /** Mean of the rounds. The interval counts each item once, however often it was run. */
  readonly averagePassAt1: Share
  readonly bestPassAt1?: Round
  /** From one attempt to all: at least one of so many is right. Items with fewer attempts are left out. */
  readonly passAt: readonly PassAt[]
  readonly statistics: Statistics
  readonly solved: Statistics
  /** How often each occurs, over all rounds. */
  readonly terminations: Readonly<Record<string, number>>
  readonly statuses: Readonly<Record<string, number>>
  readonly categories?: { readonly field: string; readonly groups: readonly Category[] }
  readonly hle?: HleReport
}

export interface Round extends Share {
  readonly rollout: number
  readonly correct: number
}

export interface PassAt extends Share {
  readonly k: number
}

/** Its interval counts each item once. */
export interface Category extends Share {
  readonly name: string
  readonly turns?: number
  readonly cost?: number
}

export interface SummaryOptions {
  readonly files: readonly string[]
  readonly problems: readonly string[]
  readonly judge: Pick<Judge, 'name' | 'model' | 'used'>
  /** Not judged, by which limit. Default: none. */
  readonly left?: readonly Attempt[]
  readonly limit?: keyof JudgeLimits
  /** The field that parts the items. Default: one of the usual names. */
  readonly by?: string
  /** With the report of Humanity's Last Exam. */
  readonly hle: boolean
}

export function summarize(scored: readonly Scored[], options: SummaryOptions): Summary {
  const { files, problems, judge, left = [], limit } = options
  const items = itemsOf(scored)
  const rounds = roundsOf(scored)
  const bestPassAt1 = rounds.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0))[0]
  const categories = categoriesOf(items, options.by)
  return {
    ...{ formatVersion: 1, files, judge: judge.name },
    ...(judge.model === undefined
      ? {}
      : { judgeModel: judge.model, ...(judge.used === undefined ? {} : { judgeUsage: judge.used }) }),
    models: [...new Set(scored.flatMap(({ model }) => model ?? []))],
    ...{ items: items.length, rollouts: rounds.length, attempts: scored.length },
    notJudged: left.length,
    ...(limit === undefined || left.length === 0 ? {} : { limit }),
    missing: missingIn([...scored, ...left]),
    failed: scored.filter(({ error }) => error !== undefined).length,
    unjudged: scored.filter(({ judgement }) => judgement.verdict === 'unjudged').length,
    ...{ problems, rounds },
    averagePassAt1: wilson(mean(rounds.map(({ share = 0 }) => share)), items.length),
    ...(bestPassAt1 === undefined ? {} : { bestPassAt1 }),
    passAt: rounds.map((_, at) => passAt(items, at + 1)),
    statistics: statisticsOf(scored),
    solved: statisticsOf(scored.filter(isCorrect)),
    terminations: countsOf(scored.map(({ termination }) => termination)),
    statuses: countsOf(scored.flatMap(({ status }) => status ?? [])),
    ...(categories === undefined ? {} : { categories }),
    ...(options.hle ? { hle: hleReport(scored) } : {}),
  }
}

function roundsOf(scored: readonly Scored[]): Round[] {
  const rounds = [...Map.groupBy(scored, ({ rollout }) => rollout)].toSorted(([a], [b]) => a - b)
  return rounds.map(([rollout, attempts]) => {
    const correct = attempts.filter(isCorrect).length
    return { rollout, correct, ...shareOf(correct, attempts.length) }
  })
}

function passAt(items: readonly ScoredItem[], k: number): PassAt {
  const tried = items.filter(({ attempts }) => attempts.length >= k)
  return {
    k,
    ...wilson(mean(tried.map(({ attempts, correct }) => passAtK(attempts.length, correct, k))), tried.length),
  }
}

function categoriesOf(items: readonly ScoredItem[], wished: string | undefined): Summary['categories'] {
  const field = categoryField(items, wished)
  if (field === undefined) return undefined
  const byName = [...Map.groupBy(items, (item) => categoryOf(item, field))]
  const groups = byName
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([name, its]) => {
      const { turns, cost } = statisticsOf(its.flatMap(({ attempts }) => attempts))
      const share = mean(its.map(({ attempts, correct }) => correct / attempts.length))
      return {
        name,
        ...wilson(share, its.length),
        ...(turns === undefined ? {} : { turns }),
        ...(cost === undefined ? {} : { cost }),
      }
    })
  return { field, groups }
}

function missingIn(attempts: readonly Attempt[]): number {
  const [items, rollouts] = [new Set(attempts.map(({ id }) => id)), new Set(attempts.map(({ rollout }) => rollout))]
  return items.size * rollouts.size - attempts.length
}
