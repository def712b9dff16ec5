import type { BatchRecord } from '../../src/batch/record.ts'
import { readAttempt } from '../../src/batch/score/attempt.ts'
import type { Judgement } from '../../src/batch/score/judge.ts'
import type { Scored } from '../../src/batch/score/score.ts'
import { type RecordWish, recordOf } from './results.ts'

const JUDGEMENTS: Readonly<Record<string, Judgement>> = {
  c: { verdict: 'correct', why: 'Yes.' },
  w: { verdict: 'wrong', why: 'No.' },
  n: { verdict: 'not attempted', why: 'Nothing.' },
  u: { verdict: 'unjudged', why: 'Nobody knows.' },
}

/** An attempt with a judgement that is given: `c`, `w`, `n` or `u`. */
export function scoredOf(letter: string, wish: RecordWish, rollout: number, confidence?: number): Scored {
  const attempt = attemptOf(recordOf(wish, rollout), rollout)
  const judgement = JUDGEMENTS[letter] ?? { verdict: 'wrong', why: '' }
  return { ...attempt, judgement: { ...judgement, ...(confidence === undefined ? {} : { confidence }) } }
}

export function attemptOf(record: BatchRecord | object, rollout = 1) {
  const attempt = readAttempt(record, { rollout, file: `rollout-${rollout}.jsonl`, line: 1 })
  if (typeof attempt === 'string') throw new Error(attempt)
  return attempt
}

/** Items `a`, `b`, `c` … with the letters of their rollouts: `['ccw', 'wwc']`. */
export const scoredSet = (items: readonly string[], wish: RecordWish = {}): Scored[] =>
  items.flatMap((letters, at) =>
    [...letters].map((letter, rollout) =>
      scoredOf(letter, { ...wish, id: 'abcdefghijklmnopqrstuvwxyz'[at] ?? '' }, rollout + 1),
    ),
  )
