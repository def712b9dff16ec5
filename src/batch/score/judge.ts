import type { Json } from '../../core/json.ts'
import type { Usage } from '../../core/usage.ts'

/** Says whether an answer is right. */
export interface Judge {
  readonly name: string
  /** `provider/model`, where one is asked. */
  readonly model?: string
  /** What its model used so far, calls that gave no judgement included; the cost is known where that of every call is. */
  readonly used?: Usage
  /**
   * Undefined when a limit was reached before there was a judgement. Rejects only with the signal's reason: what goes wrong
   * is a judgement of its own, `unjudged`.
   */
  judge(asked: Judged, signal: AbortSignal): Promise<Judgement | undefined>
}

/** What is judged. */
export interface Judged {
  readonly question: string
  /** The dataset's: a text, a number, or a list of which each is right. */
  readonly answer: Json
  readonly prediction: string
}

export type Verdict = 'correct' | 'wrong' | 'not attempted' | 'unjudged'

export interface Judgement {
  readonly verdict: Verdict
  /** One sentence. */
  readonly why: string
  /** What the judge took for the final answer. */
  readonly extracted?: string
  /** How sure the answer says it is, in percent. */
  readonly confidence?: number
  /** What the model that was asked used; absent when the judgement was kept from before. */
  readonly usage?: Usage
}

/** The answers of the dataset that count, as texts. */
export const rightAnswers = (answer: Json): string[] =>
  (Array.isArray(answer) ? (answer as readonly Json[]) : [answer])
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)).trim())
    .filter((each) => each !== '')
