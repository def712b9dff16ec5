import { mkdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Comparison, compareAll } from '../batch/score/compare.ts'
import { expectThreeRounds } from '../batch/score/deep-research-scores.ts'
import { JudgeBudget, type JudgeLimits } from '../batch/score/judge-budget.ts'
import { isFolder, readResults, resultFiles } from '../batch/score/read-results.ts'
import { scoreSet } from '../batch/score/score-set.ts'
import type { CompatName } from './protocols.ts'
import { writeCompatScores } from './score-compat.ts'
import { type ScoredSet, writeScores } from './score-files.ts'
import { type JudgeWish, openJudge } from './score-judge.ts'
import type { Settings } from './settings.ts'

/** What `tao score` is asked. Paths are relative to its `folder`. */
export interface ScoreRequest extends JudgeWish {
  /** One folder, several that are compared with the first, or the files of one result set. */
  readonly results: readonly string[]
  /** Default: where the results are. */
  readonly out?: string
  /** The field that parts the items. */
  readonly by?: string
  /** How many judgements at a time. */
  readonly concurrency: number
  /** Of all sets together. */
  readonly limits: JudgeLimits
  /** Also the files that this agent's evaluation writes. */
  readonly compat?: CompatName
}

export interface ScoreHooks {
  readonly signal: AbortSignal
  /** Told before a model is asked: `provider/model`. */
  readonly onModel?: (name: string) => void
  /** `of` so many judgements of one set, so many are there. */
  readonly onScored?: (done: number, of: number) => void
}

export interface ScoreEnd {
  readonly sets: readonly ScoredSet[]
  /** Of each set but the first against the first. */
  readonly comparisons: readonly Comparison[]
}

/** Judges results, adds them up and writes what was found. Rejects with a `TaoError`, or with the signal's reason. */
export async function scoreResults(request: ScoreRequest, settings: Settings, hooks: ScoreHooks): Promise<ScoreEnd> {
  const sets: ScoredSet[] = []
  const budget = new JudgeBudget(request.limits, Date.now)
  for (const place of placesOf(request)) sets.push(await scorePlace(place, { request, settings, hooks, budget }))
  const [first, ...others] = sets
  const comparisons = first === undefined ? [] : compareAll(first, others)
  for (const [at, set] of sets.entries()) {
    writeScores(set, comparisons[at - 1])
    if (request.compat !== undefined) await writeCompatScores(set, request.judge)
  }
  return { sets, comparisons }
}

interface SetPlace {
  readonly name: string
  readonly files: readonly string[]
  readonly out: string
}

/** Several folders are as many sets; everything else is one. */
function placesOf({ results, folder, out }: ScoreRequest): SetPlace[] {
  const paths = results.map((path) => resolve(folder, path))
  const given = out === undefined ? undefined : resolve(folder, out)
  if (paths.length < 2 || !paths.every(isFolder)) {
    const [first = folder] = paths
    const own = isFolder(first) ? first : dirname(first)
    return [{ name: basename(own), files: resultFiles(paths), out: given ?? own }]
  }
  const names = namesOf(paths)
  return paths.map((path, at) => ({
    name: names[at] ?? path,
    files: resultFiles([path]),
    out: given === undefined ? path : join(given, `${at + 1}`),
  }))
}

/** Folders of one name are told apart by where they lie. */
function namesOf(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => basename(path))
  return new Set(names).size === names.length ? names : paths
}

interface SetParts {
  readonly request: ScoreRequest
  readonly settings: Settings
  readonly hooks: ScoreHooks
  readonly budget: JudgeBudget
}

async function scorePlace({ name, files, out }: SetPlace, parts: SetParts): Promise<ScoredSet> {
  const { request, settings, hooks, budget } = parts
  const results = await readResults(files)
  if (request.compat !== undefined) expectThreeRounds(results.attempts)
  mkdirSync(out, { recursive: true })
  const opened = await openJudge(request, { log: join(out, 'judgements.jsonl'), budget, settings })
  try {
    const { judge } = opened
    if (judge.model !== undefined) hooks.onModel?.(judge.model)
    const scores = await scoreSet(results, {
      ...{ judge, budget, concurrency: request.concurrency, signal: hooks.signal },
      ...(request.by === undefined ? {} : { by: request.by }),
      onScored: (done) => hooks.onScored?.(done, results.attempts.length),
    })
    return { name, out, ...scores }
  } finally {
    opened.close()
  }
}
