import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { CODE_JUDGES } from '../batch/score/code-judges.ts'
import type { Judge } from '../batch/score/judge.ts'
import { JUDGE_PROMPTS, type JudgePrompt, rubricPrompt } from '../batch/score/judge-prompts.ts'
import { openJudgementLog } from '../batch/score/judgement-log.ts'
import { modelJudge } from '../batch/score/model-judge.ts'
import { describeError, TaoError } from '../core/error.ts'
import { didYouMean } from '../core/nearest.ts'
import { chooseModel } from './choose-model.ts'
import { openModel } from './models.ts'
import type { Settings } from './settings.ts'

/** Which judge is asked for. */
export interface JudgeWish {
  /** The name of a judge or of a dataset that has one, or the path of a rubric. */
  readonly judge: string
  /** `provider/model`. Default: as for runs. */
  readonly model?: string
  readonly baseUrl?: string
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

/** Opens the judge; calls of a model stand in `log` and are not made twice. Rejects with a `TaoError`. */
export async function openJudge(wish: JudgeWish, log: string, settings: Settings): Promise<OpenedJudge> {
  const name = DATASETS.get(wish.judge) ?? wish.judge
  const byCode = CODE_JUDGES.get(name)
  if (byCode !== undefined) return { judge: byCode, close: () => undefined }
  const prompt = JUDGE_PROMPTS.get(name) ?? (await readRubric(wish))
  const { model: flag, baseUrl, folder } = wish
  const asked = { ...(flag === undefined ? {} : { flag }), ...(baseUrl === undefined ? {} : { baseUrl }) }
  const choice = await chooseModel({ ...asked, folders: { flag: folder, taskFile: folder } }, settings)
  const model = await openModel(choice, settings)
  const opened = await openJudgementLog(log)
  return { judge: modelJudge({ prompt, model, log: opened, now: () => new Date() }), close: () => opened.close() }
}

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
