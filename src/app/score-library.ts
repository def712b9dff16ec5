import type { Judge } from '../batch/score/judge.ts'
import { JudgeBudget, type JudgeLimits } from '../batch/score/judge-budget.ts'
import { readRecords } from '../batch/score/read-results.ts'
import { type Scores, scoreSet } from '../batch/score/score-set.ts'
import { TaoError } from '../core/error.ts'
import type { Model, Price } from '../model/model.ts'
import { type OpenedJudge, openJudge } from './score-judge.ts'
import { readSettings } from './settings.ts'

export interface ScoreOptions {
  /**
   * Who says what is right: the name of a judge or of a dataset that has one, as `tao score --judge` takes it, the path of a
   * rubric, or a judge of your own. Default: `normalised`, which asks no model.
   */
  readonly judge?: string | Judge
  /** The model that is asked: `provider/model`, or one that is open. Default: as for runs. */
  readonly model?: string | Model
  readonly baseUrl?: string
  /** What it costs: a limit of cost needs it. Default: the model's own, else not known. */
  readonly price?: Price
  /** A file to which each judgement of a model is appended, and which is asked first. Default: none is kept. */
  readonly judgements?: string
  /** Bounds of the calls of the model, in US dollars and milliseconds; what is left then is in `left`. Default: none. */
  readonly limits?: JudgeLimits
  /** The field that parts the items. Default: the first there is of the usual names, such as `category` and `level`. */
  readonly by?: string
  /** How many judgements at a time. Default: 20. */
  readonly concurrency?: number
  readonly signal?: AbortSignal
}

/**
 * Judges the results of a batch and adds them up. `results`: one object a rollout, as `tao batch` and Alibaba's DeepResearch
 * write them, with at least `question`, `answer`, `prediction` and `messages`; `id` and `rollout` (from 1) say which belong
 * together, and of two of one rollout the later counts. What is no such object is told in `summary.problems`.
 *
 * Resolves to all attempts, each `scored` or `left`, and their `summary`; shares are from 0 to 1. Trouble with a judging
 * model is the verdict `unjudged`. Rejects with a `TaoError` for a judge, a model or an option that cannot work, and with
 * the signal's reason.
 */
export async function score(results: readonly unknown[], options: ScoreOptions = {}): Promise<Scores> {
  const { limits = {}, concurrency = 20, signal = new AbortController().signal, by } = options
  if (!(concurrency >= 1)) throw new TaoError('usage', `A concurrency of ${concurrency} would judge nothing.`)
  const budget = new JudgeBudget(limits, Date.now)
  const { judge, close } = await judgeFor(options, budget)
  try {
    const named = by === undefined ? {} : { by }
    return await scoreSet(readRecords(results), { judge, budget, concurrency, signal, ...named })
  } finally {
    close()
  }
}

async function judgeFor({ judge = 'normalised', ...rest }: ScoreOptions, budget: JudgeBudget): Promise<OpenedJudge> {
  if (typeof judge === 'object') return { judge, close: () => undefined }
  const { model, baseUrl, price, judgements: log } = rest
  const wish = {
    ...{ judge, folder: process.cwd() },
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(price === undefined ? {} : { price }),
  }
  return await openJudge(wish, { budget, settings: readSettings(), ...(log === undefined ? {} : { log }) })
}
