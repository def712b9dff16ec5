import { mkdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Comparison, compare } from '../batch/score/compare.ts'
import { isFolder, readResults, resultFiles } from '../batch/score/read-results.ts'
import { scoreAttempts } from '../batch/score/score.ts'
import { summarize } from '../batch/score/summary.ts'
import { TaoError } from '../core/error.ts'
import { type ScoredSet, writeScores } from './score-files.ts'
import { type JudgeWish, openJudge } from './score-judge.ts'
import type { Settings } from './settings.ts'

/** What `tao score` is asked. Paths are relative to its `folder`. */
export interface ScoreRequest extends JudgeWish {
  /** One folder, two folders that are compared, or the files of one result set. */
  readonly results: readonly string[]
  /** Default: where the results are. */
  readonly out?: string
  /** The field that parts the items. */
  readonly by?: string
  /** How many judgements at a time. */
  readonly concurrency: number
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
  /** Of the second against the first. */
  readonly comparison?: Comparison
}

/** Judges results, adds them up and writes what was found. Rejects with a `TaoError`, or with the signal's reason. */
export async function scoreResults(request: ScoreRequest, settings: Settings, hooks: ScoreHooks): Promise<ScoreEnd> {
  const sets: ScoredSet[] = []
  for (const place of placesOf(request)) sets.push(await scoreSet(place, { request, settings, hooks }))
  const [first, second] = sets
  const comparison = first === undefined || second === undefined ? undefined : compare(first, second)
  for (const set of sets) writeScores(set, set === second ? comparison : undefined)
  return { sets, ...(comparison === undefined ? {} : { comparison }) }
}

interface SetPlace {
  readonly name: string
  readonly files: readonly string[]
  readonly out: string
}

/** Two folders are two sets; everything else is one. */
function placesOf({ results, folder, out }: ScoreRequest): SetPlace[] {
  const paths = results.map((path) => resolve(folder, path))
  const given = out === undefined ? undefined : resolve(folder, out)
  const [first = folder, second] = paths
  if (second === undefined || !paths.every(isFolder)) {
    const own = isFolder(first) ? first : dirname(first)
    return [{ name: basename(own), files: resultFiles(paths), out: given ?? own }]
  }
  if (paths.length > 2)
    throw new TaoError('usage', `${paths.length} folders are too many to compare.`, { fix: 'Compare two at a time.' })
  return [first, second].map((path, at) => ({
    name: namesOf(first, second)[at] ?? path,
    files: resultFiles([path]),
    out: given === undefined ? path : join(given, at === 0 ? 'first' : 'second'),
  }))
}

/** Folders of one name are told apart by where they lie. */
const namesOf = (first: string, second: string): readonly [string, string] =>
  basename(first) === basename(second) ? [first, second] : [basename(first), basename(second)]

interface SetParts {
  readonly request: ScoreRequest
  readonly settings: Settings
  readonly hooks: ScoreHooks
}

async function scoreSet({ name, files, out }: SetPlace, { request, settings, hooks }: SetParts): Promise<ScoredSet> {
  const { attempts, problems } = await readResults(files)
  mkdirSync(out, { recursive: true })
  const opened = await openJudge(request, join(out, 'judgements.jsonl'), settings)
  try {
    const { judge } = opened
    if (judge.model !== undefined) hooks.onModel?.(judge.model)
    const scored = await scoreAttempts(attempts, {
      ...{ judge, concurrency: request.concurrency, signal: hooks.signal },
      onScored: (done) => hooks.onScored?.(done, attempts.length),
    })
    const by = request.by === undefined ? {} : { by: request.by }
    return {
      name,
      out,
      scored,
      summary: summarize(scored, { files, problems, judge, ...by, hle: judge.name === 'confidence' }),
    }
  } finally {
    opened.close()
  }
}
