import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * What is read of the scored copies and of the line of figures that Alibaba DeepResearch's evaluation leaves behind, written
 * anew from a description of what it does: its shares from the copies alone, and its figures by their names.
 */

interface ScoredCopy {
  readonly question: string
  readonly is_correct: boolean
  readonly judgement: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly termination: string
}

/** The shares in percent, made of three scored copies. Throws where a line is not what is read of it. */
export function sharesOfCopies(folder: string) {
  const rounds = [1, 2, 3].map((round) => linesOf<ScoredCopy>(join(folder, `iter${round}_scored.jsonl`)))
  for (const { question, judgement, is_correct } of rounds.flat())
    if (is_correct !== isCorrect(judgement)) throw new Error(`"${question}" is ${is_correct}, but "${judgement}".`)
  const right = rounds.map((round) => round.filter(({ is_correct }) => is_correct).map(({ question }) => question))
  const questions = new Set(rounds.flat().map(({ question }) => question)).size
  const percent = (count: number, of: number): number => Number(((count / of) * 100).toFixed(2))
  return {
    overall: {
      avg_pass_at_3: percent(right.reduce((sum, round) => sum + round.length, 0) / 3, questions),
      best_pass_at_1: percent(Math.max(...right.map((round) => round.length)), questions),
      pass_at_3: percent(new Set(right.flat()).size, questions),
    },
    individual: Object.fromEntries(
      rounds.map((round, at) => [`Round${at + 1}_Pass@1`, percent(right[at]?.length ?? 0, round.length)]),
    ),
  }
}

const isCorrect = (judgement: string): boolean =>
  judgement.toLowerCase() === 'correct' || judgement.toLowerCase().startsWith('a')

/** Every line of figures so far. */
export interface FigureLine {
  readonly dataset: string
  readonly files: Readonly<Record<string, string>>
  readonly overall: object
  readonly individual: object
  readonly statistics: Readonly<Record<string, number | Readonly<Record<string, number>>>>
}

export const figureLines = (folder: string): FigureLine[] => linesOf(join(folder, 'summary.jsonl'))

function linesOf<T>(path: string): T[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T)
}
