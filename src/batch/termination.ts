import type { Outcome } from '../core/outcome.ts'

/** The six endings that Alibaba's DeepResearch knows, in its own words: its evaluation counts them as they stand. */
export const TERMINATIONS = {
  answer: 'answer',
  none: 'answer not found',
  calls: 'exceed available llm calls',
  time: 'No answer found after 2h30mins',
  context: 'generate an answer as token limit reached',
  contextWithout: 'format error: generate an answer as token limit reached',
} as const

export type Termination = (typeof TERMINATIONS)[keyof typeof TERMINATIONS]

/** Which of the six an outcome is. What they have no word for (a server that fails, a cost limit) has no answer to them. */
export function terminationOf({ answer, limit }: Pick<Outcome, 'answer' | 'limit'>): Termination {
  const hasAnswer = answer !== undefined
  if (limit?.limit === 'contextTokens') return hasAnswer ? TERMINATIONS.context : TERMINATIONS.contextWithout
  if (hasAnswer) return TERMINATIONS.answer
  if (limit?.limit === 'modelCalls') return TERMINATIONS.calls
  return limit?.limit === 'wallTime' ? TERMINATIONS.time : TERMINATIONS.none
}

/** What stands in place of an answer, as the original writes it. */
export function predictionOf(outcome: Pick<Outcome, 'answer' | 'limit'>, lastMessage: string): string {
  if (outcome.answer !== undefined) return outcome.answer
  const termination = terminationOf(outcome)
  if (termination === TERMINATIONS.contextWithout) return lastMessage
  return termination === TERMINATIONS.time ? termination : 'No answer found.'
}
