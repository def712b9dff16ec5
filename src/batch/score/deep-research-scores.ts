import { TaoError } from '../../core/error.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Attempt } from './attempt.ts'
import type { Judgement, Verdict } from './judge.ts'
import type { Summary } from './summary.ts'

/*
 * What Alibaba DeepResearch's evaluation writes, by its names: copies of the records with what was judged, and a line of figures.
 */

const ROUNDS = [1, 2, 3]

/** Throws a `TaoError` unless there are the three rounds that its figures are named after. */
export function expectThreeRounds(attempts: readonly Attempt[]): void {
  const rollouts = [...new Set(attempts.map(({ rollout }) => rollout))].sort((a, b) => a - b)
  if (rollouts.join() === ROUNDS.join()) return
  throw new TaoError(
    'usage',
    `DeepResearch scores the rollouts 1, 2 and 3; here are: ${rollouts.join(', ') || 'none'}.`,
    {
      fix: 'Leave --compat out, or make the batch with --rollouts 3.',
    },
  )
}

/** It takes "correct" and all that begins with an "a" for right. */
const JUDGEMENTS: Readonly<Record<Verdict, string>> = {
  correct: 'Correct',
  wrong: 'Incorrect',
  'not attempted': 'Not attempted',
  unjudged: 'Error',
}

/** A record behind what was judged of it; an `error` that it has stays. */
export const scoredRecord = (record: JsonObject, { verdict, why }: Judgement): JsonObject => ({
  is_correct: verdict === 'correct',
  judgement: JUDGEMENTS[verdict],
  ...(verdict === 'unjudged' ? { error: why } : {}),
  ...record,
})

/**
 * The line of a whole set. `dataset`: what the judge was called; `files`: of each rollout. Shares are in percent; where there
 * is nothing to take a mean of, it is 0.
 */
export function summaryLine(summary: Summary, dataset: string, files: ReadonlyMap<number, string>): object {
  const { averagePassAt1, bestPassAt1, passAt, rounds } = summary
  const shareOf = (round: number): number => percent(rounds.find(({ rollout }) => rollout === round)?.share)
  return {
    dataset,
    files: Object.fromEntries(ROUNDS.map((round) => [`round${round}`, files.get(round) ?? ''])),
    overall: {
      avg_pass_at_3: percent(averagePassAt1.share),
      best_pass_at_1: percent(bestPassAt1?.share),
      pass_at_3: percent(passAt.find(({ k }) => k === ROUNDS.length)?.share),
    },
    individual: Object.fromEntries(ROUNDS.map((round) => [`Round${round}_Pass@1`, shareOf(round)])),
    statistics: statisticsIn(summary),
  }
}

/** Counts are means of the rounds, as everything else is. */
function statisticsIn({ statistics, solved, terminations }: Summary): object {
  const ofAll = (count: number): number => thousandths(count / statistics.attempts)
  return {
    extra_length: thousandths(statistics.extraLong / ROUNDS.length),
    num_invalid: thousandths(statistics.invalid / ROUNDS.length),
    avg_action: thousandths(statistics.toolCalls),
    avg_visit_action: thousandths(statistics.visits),
    avg_search_action: thousandths(statistics.searches),
    avg_other_action: thousandths(statistics.otherCalls),
    avg_ans_length: thousandths(statistics.answerCharacters),
    avg_think_length: thousandths(statistics.messageCharacters),
    avg_tool_calls_per_question: thousandths(statistics.toolCalls),
    avg_assistant_tokens_per_question: thousandths(statistics.assistantTokens),
    avg_assistant_tokens_per_message: thousandths(statistics.tokensPerMessage),
    termination_freq: Object.fromEntries(Object.entries(terminations).map(([text, count]) => [text, ofAll(count)])),
    avg_tool_calls_per_question_correctly_solved: thousandths(solved.toolCalls),
    avg_assistant_tokens_per_question_correctly_solved: thousandths(solved.assistantTokens),
  }
}

const percent = (share = 0): number => Number((share * 100).toFixed(2))
const thousandths = (value = 0): number => Number(value.toFixed(3))
