/*
 * Scores as a library, apart from runs, which need none of this:
 *
 *   const [before, after] = await Promise.all([score(old, { judge: 'gaia-rule' }), score(now, { judge: 'gaia-rule' })])
 *   const { wins, losses, p } = compare({ name: 'before', ...before }, { name: 'after', ...after })
 */

export { type ScoreOptions, score } from './app/score-library.ts'
export type { Attempt } from './batch/score/attempt.ts'
export { type ComparedItem, type ComparedSet, type Comparison, compare } from './batch/score/compare.ts'
export type { Judge, Judged, Judgement, Verdict } from './batch/score/judge.ts'
export type { JudgeLimits } from './batch/score/judge-budget.ts'
export type { Judging, Scored } from './batch/score/score.ts'
export type { Scores } from './batch/score/score-set.ts'
export type { Share } from './batch/score/shares.ts'
export type { Statistics } from './batch/score/statistics.ts'
export type { Summary } from './batch/score/summary.ts'
