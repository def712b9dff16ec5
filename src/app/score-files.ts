import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeReport } from '../batch/report/report.ts'
import type { Comparison } from '../batch/score/compare.ts'
import type { Scored } from '../batch/score/score.ts'
import type { Summary } from '../batch/score/summary.ts'
import { describeError, TaoError } from '../core/error.ts'

/** What was found out about one result set, and the folder it is written to. */
export interface ScoredSet {
  /** Of the set, for people. */
  readonly name: string
  /** Absolute. */
  readonly out: string
  readonly scored: readonly Scored[]
  readonly summary: Summary
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
  try {
    writeFileSync(draft, text)
    renameSync(draft, path)
  } catch (error) {
    throw new TaoError('results', `The scores cannot be written to ${path}: ${describeError(error)}`, { cause: error })
  }
}
