import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeReport } from '../batch/report/report.ts'
import type { Comparison } from '../batch/score/compare.ts'
import type { Scores } from '../batch/score/score-set.ts'
import { describeError, TaoError } from '../core/error.ts'

/** What was found out about one result set, and the folder it is written to. */
export interface ScoredSet extends Scores {
  /** Of the set, for people. */
  readonly name: string
  /** Absolute. */
  readonly out: string
}

/** Writes `scored.jsonl`, `summary.json`, `report.html` and, where there is one, `comparison.json`; each is there whole or as it was. */
export function writeScores(set: ScoredSet, comparison: Comparison | undefined): void {
  const { out, scored, summary } = set
  const lines = scored.map(({ trace: _, ...kept }) => `${JSON.stringify(kept)}\n`)
  writeWhole(join(out, 'scored.jsonl'), lines.join(''))
  writeWhole(join(out, 'summary.json'), `${JSON.stringify(summary, undefined, 2)}\n`)
  if (comparison !== undefined)
    writeWhole(join(out, 'comparison.json'), `${JSON.stringify(comparison, undefined, 2)}\n`)
  writeWhole(join(out, 'report.html'), writeReport({ ...set, ...(comparison === undefined ? {} : { comparison }) }))
}

function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}`
  orSay(path, () => {
    writeFileSync(draft, text)
    renameSync(draft, path)
  })
}

/** What fails is told with the place it was meant for. */
export function orSay<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw new TaoError('results', `The scores cannot be written to ${path}: ${describeError(error)}`, { cause: error })
  }
}
