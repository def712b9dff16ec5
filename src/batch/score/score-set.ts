import type { JudgeBudget } from './judge-budget.ts'
import type { ResultSet } from './read-results.ts'
import { type Judging, type ScoreParts, scoreAttempts } from './score.ts'
import { type Summary, summarize } from './summary.ts'

/** A result set that was judged and added up. */
export interface Scores extends Judging {
  readonly summary: Summary
}

export interface ScoreSetOptions extends ScoreParts {
  /** The one that the judge has. */
  readonly budget: JudgeBudget
  /** The field that parts the items. Default: one of the usual names. */
  readonly by?: string
}

/** Judges a result set and adds it up. Rejects with the signal's reason. */
export async function scoreSet({ files, attempts, problems }: ResultSet, options: ScoreSetOptions): Promise<Scores> {
  const { judge, budget, by } = options
  const judging = await scoreAttempts(attempts, options)
  const limit = budget.reached
  const summary = summarize(judging.scored, {
    ...{ files, problems, judge, left: judging.left, hle: judge.name === 'confidence' },
    ...(limit === undefined ? {} : { limit }),
    ...(by === undefined ? {} : { by }),
  })
  return { ...judging, summary }
}
