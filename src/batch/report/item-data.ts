import { clip, oneLine } from '../../core/clip.ts'
import type { Json } from '../../core/json.ts'
import type { RecordedMessage } from '../messages.ts'
import { firstAndLast } from '../score/attempt.ts'
import type { ScoredItem } from '../score/items.ts'
import { rightAnswers } from '../score/judge.ts'
import type { Scored } from '../score/score.ts'
import type { Summary } from '../score/summary.ts'
import { categoryShown } from './charts.ts'

/*
 * What report/page.js shows of items: a row each, and a page each that is read when it is opened.
 */

/** One row of the list. */
export interface ItemRow {
  readonly id: string
  readonly question: string
  readonly category: string
  /** One letter for each attempt: correct, wrong, not attempted, unjudged, as `c`, `w`, `n`, `u`. */
  readonly verdicts: string
  readonly score: number
  readonly turns: number | null
  readonly cost: number | null
}

export const rowOf = (item: ScoredItem, summary: Summary): ItemRow => ({
  id: item.id,
  question: oneLine(item.question, 200),
  category: categoryShown(item, summary),
  verdicts: item.attempts.map(({ judgement }) => judgement.verdict[0]).join(''),
  score: item.correct / item.attempts.length,
  turns: item.turns ?? null,
  cost: item.cost ?? null,
})

interface ItemPage {
  readonly id: string
  readonly question: string
  readonly answer: string
  readonly fields: Json
  readonly attempts: readonly AttemptPage[]
}

interface AttemptPage {
  readonly rollout: number
  readonly verdict: string
  readonly why: string
  readonly prediction: string
  /** What is told of it, as pairs. */
  readonly facts: readonly (readonly [string, string])[]
  /** The line that shows the whole run, and the record. */
  readonly run?: string
  readonly file: string
  readonly line: number
  readonly trace: readonly RecordedMessage[]
}

const MOST_TEXT = 4_000

/** `budget`: characters that the trace of one attempt may have. */
export function pageOf(item: ScoredItem, budget: number, linkTo: (file: string) => string): ItemPage {
  const [first] = item.attempts
  return {
    id: item.id,
    question: clip(item.question, MOST_TEXT).text,
    answer: rightAnswers(first?.answer ?? '').join(' | '),
    fields: item.fields,
    attempts: item.attempts.map((attempt) => attemptPage(attempt, budget, linkTo)),
  }
}

function attemptPage(attempt: Scored, budget: number, linkTo: (file: string) => string): AttemptPage {
  const { judgement, prediction, run, file, line, rollout } = attempt
  return {
    ...{ rollout, verdict: judgement.verdict, why: judgement.why },
    prediction: clip(prediction, MOST_TEXT).text,
    facts: factsOf(attempt),
    ...(run === undefined ? {} : { run }),
    ...{ file: linkTo(file), line, trace: within(budget, attempt.trace) },
  }
}

function factsOf({ figures, termination, status, judgement, model }: Scored): [string, string][] {
  const calls = Object.entries(figures.tools).map(([name, count]) => `${name} × ${count}`)
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['ended', status === undefined ? termination : `${status} (${termination})`],
    ['steps', `${figures.turns}`],
    ['calls', calls.length === 0 ? 'none' : calls.join(', ')],
    ['tokens', figures.inputTokens === undefined ? undefined : tokens(figures.inputTokens, figures.outputTokens)],
    ['cost', figures.cost === undefined ? undefined : `$${figures.cost.toFixed(4)}`],
    ['time', figures.durationMs === undefined ? undefined : `${(figures.durationMs / 1000).toFixed(1)} s`],
    ['model', model],
    ['read as', judgement.extracted],
    ['says it is sure', judgement.confidence === undefined ? undefined : `${judgement.confidence} %`],
  ]
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]))
}

const tokens = (input: number, output = 0): string =>
  `${input.toLocaleString('en')} in, ${output.toLocaleString('en')} out`

/** A message of which less is left says nothing. */
const LEAST_TEXT = 160

/** Long messages are cut; where that is not enough, those in the middle are left out. */
function within(budget: number, trace: readonly RecordedMessage[]): RecordedMessage[] {
  const kept = firstAndLast(trace, Math.max(2, Math.floor(budget / LEAST_TEXT)))
  const each = Math.floor(budget / Math.max(1, kept.length))
  return kept.map(({ role, content }) => ({ role, content: clip(content, each).text }))
}
