import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { CODE_JUDGES } from '../batch/score/code-judges.ts'
import type { Judge } from '../batch/score/judge.ts'
import type { JudgeBudget } from '../batch/score/judge-budget.ts'
import { JUDGE_PROMPTS, type JudgePrompt, rubricPrompt } from '../batch/score/judge-prompts.ts'
import { memoryJudgementLog, openJudgementLog } from '../batch/score/judgement-log.ts'
import { modelJudge } from '../batch/score/model-judge.ts'
import { describeError, TaoError } from '../core/error.ts'
import { didYouMean } from '../core/nearest.ts'
import type { Model, Price } from '../model/model.ts'
import { expectPrice, priced } from '../model/price.ts'
import { chooseModel } from './choose-model.ts'
import { openModel } from './models.ts'
import type { Settings } from './settings.ts'

/** Which judge is asked for. */
export interface JudgeWish {
  /** The name of a judge or of a dataset that has one, or the path of a rubric. */
  readonly judge: string
  /** `provider/model`, or one that is open already. Default: as for runs. */
  readonly model?: string | Model
  readonly baseUrl?: string
  /** What it costs. Default: not known, as no service says it. */
  readonly price?: Price
  /** What paths are relative to. */
  readonly folder: string
}

export interface OpenedJudge {
  readonly judge: Judge
  close(): void
}

/** Datasets whose judge is agreed on, by the names their users know. */
const DATASETS: ReadonlyMap<string, string> = new Map([
  ['webwalker', 'gaia'],
  ['hle', 'confidence'],
  ['simpleqa', 'three-grade'],
  ['xbench-deepsearch', 'xbench'],
  ['browsecomp_zh', 'browsecomp'],
  ['browsecomp_en', 'browsecomp'],
  ['browsecomp_en_full', 'browsecomp'],
])

const NAMES: readonly string[] = [...CODE_JUDGES.keys(), ...JUDGE_PROMPTS.keys(), ...DATASETS.keys()]

export interface JudgeParts {
  /** The file in which the calls of a model stand, so that none is made twice. Default: they are known to this judge only. */
  readonly log?: string
  readonly budget: JudgeBudget
  readonly settings: Settings
}

/** Rejects with a `TaoError` for what is no judge and no model, and for a limit of a cost that nobody knows. */
export async function openJudge(wish: JudgeWish, { log, budget, settings }: JudgeParts): Promise<OpenedJudge> {
  const name = DATASETS.get(wish.judge) ?? wish.judge
  const byCode = CODE_JUDGES.get(name)
  if (byCode !== undefined) return { judge: byCode, close: () => undefined }
  const prompt = JUDGE_PROMPTS.get(name) ?? (await readRubric(wish))
  const model = await openJudgeModel(wish, settings)
  expectPrice(budget.limits, model, { fix: HOW_TO_PRICE })
  const opened = log === undefined ? memoryJudgementLog() : await openJudgementLog(log)
  const judge = modelJudge({ prompt, model, log: opened, budget, now: () => new Date() })
  return { judge, close: () => opened.close() }
}

async function openJudgeModel({ model, baseUrl, price, folder }: JudgeWish, settings: Settings): Promise<Model> {
  if (typeof model === 'object') return price === undefined ? model : priced(model, price)
  const wish = { ...(model === undefined ? {} : { flag: model }), ...(baseUrl === undefined ? {} : { baseUrl }) }
  const choice = await chooseModel({ ...wish, folders: { flag: folder, taskFile: folder } }, settings)
  return await openModel({ ...choice, ...(price === undefined ? {} : { price }) }, settings)
}

const HOW_TO_PRICE =
  'Say it with --judge-price, or as "price" in a program, in US dollars for a million tokens; or limit the time.'

/** What is no name is a path; what looks like neither is told as a name. */
async function readRubric({ judge, folder }: JudgeWish): Promise<JudgePrompt> {
  if (!/[./\\]/.test(judge))
    throw new TaoError('usage', `There is no judge "${judge}". ${didYouMean(judge, NAMES)}`.trim(), {
      fix: `Judges: ${NAMES.join(', ')}; or a file with a rubric, such as rubric.md.`,
    })
  try {
    const rubric = await readFile(resolve(folder, judge), 'utf8')
    if (rubric.trim() !== '') return rubricPrompt(basename(judge), rubric)
  } catch (error) {
    throw new TaoError('usage', `The rubric ${judge} cannot be read: ${describeError(error)}`)
  }
  throw new TaoError('usage', `The rubric ${judge} is empty.`)
}
