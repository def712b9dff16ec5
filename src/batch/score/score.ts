import type { Attempt } from './attempt.ts'
import { type Judge, type Judgement, rightAnswers } from './judge.ts'

/** An attempt and what is thought of it. */
export interface Scored extends Attempt {
  readonly judgement: Judgement
}

export const isCorrect = ({ judgement }: Scored): boolean => judgement.verdict === 'correct'

export interface ScoreParts {
  readonly judge: Judge
  readonly concurrency: number
  readonly signal: AbortSignal
  /** Told after each judgement. */
  readonly onScored?: (done: number) => void
}

/** All attempts, each in one of the two and in the order in which they came. */
export interface Judging {
  readonly scored: readonly Scored[]
  /** Not judged, since a limit was reached. Nothing is known of them, so that they count nowhere. */
  readonly left: readonly Attempt[]
}

/** Judges attempts, so many at a time. Rejects with the signal's reason. */
export async function scoreAttempts(attempts: readonly Attempt[], parts: ScoreParts): Promise<Judging> {
  const judgements: (Judgement | undefined)[] = []
  const pending = attempts.entries()
  let done = 0
  const work = async (): Promise<void> => {
    for (const [at, attempt] of pending) {
      parts.signal.throwIfAborted()
      judgements[at] = await judgementOf(attempt, parts)
      if (judgements[at] !== undefined) parts.onScored?.(++done)
    }
  }
  await Promise.all(Array.from({ length: Math.min(parts.concurrency, attempts.length) }, work))
  const scored = attempts.flatMap((attempt, at) => {
    const judgement = judgements[at]
    return judgement === undefined ? [] : [{ ...attempt, judgement }]
  })
  return { scored, left: attempts.filter((_, at) => judgements[at] === undefined) }
}

/** What stands where there is no answer. */
const NO_ANSWERS = new Set(['', 'No answer found.', 'No answer found after 2h30mins'])

/** What cannot be right costs no call. */
async function judgementOf(attempt: Attempt, { judge, signal }: ScoreParts): Promise<Judgement | undefined> {
  const { error, prediction, answer } = attempt
  if (error !== undefined) return { verdict: 'not attempted', why: `It was not really tried: ${error}` }
  if (NO_ANSWERS.has(prediction.trim())) return { verdict: 'not attempted', why: 'There is no answer.' }
  if (rightAnswers(answer).length === 0) return { verdict: 'unjudged', why: 'The dataset does not say what is right.' }
  return await judge.judge(attempt, signal)
}
