import { appendFileSync, closeSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { linesOf } from '../batch/lines.ts'
import { scoredRecord, summaryLine } from '../batch/score/deep-research-scores.ts'
import type { Scored } from '../batch/score/score.ts'
import type { JsonObject } from '../core/json.ts'
import { orSay, type ScoredSet } from './score-files.ts'

/**
 * Writes what DeepResearch's evaluation does: `iterN_scored.jsonl`, whole records with their judgements in the order of the
 * results, and one more line in `summary.jsonl`. That line has no place for what was not judged, so that there is none while
 * anything is left. `dataset`: what the judge was called.
 */
export async function writeCompatScores({ out, scored, left, summary }: ScoredSet, dataset: string): Promise<void> {
  const files = new Map<number, string>()
  for (const rollout of new Set([...scored, ...left].map((attempt) => attempt.rollout))) {
    const attempts = scored.filter((attempt) => attempt.rollout === rollout)
    const sources = [...new Set(attempts.map(({ file }) => file))]
    await writeCopy(join(out, `iter${rollout}_scored.jsonl`), sources, attempts)
    files.set(rollout, sources.join(', '))
  }
  if (left.length > 0) return
  const path = join(out, 'summary.jsonl')
  orSay(path, () => appendFileSync(path, `${JSON.stringify(summaryLine(summary, dataset, files))}\n`))
}

/** Record by record: with its messages, a set may be larger than memory. */
async function writeCopy(path: string, sources: readonly string[], attempts: readonly Scored[]): Promise<void> {
  const draft = `${path}.${process.pid}`
  const at = new Map(attempts.map((attempt) => [`${attempt.file}:${attempt.line}`, attempt.judgement]))
  const copy = orSay(path, () => openSync(draft, 'w'))
  try {
    for (const source of sources)
      for await (const { text, number } of linesOf(source)) {
        const judgement = at.get(`${source}:${number}`)
        if (judgement === undefined) continue
        const record = JSON.parse(text.replace(/^\ufeff/, '')) as JsonObject
        orSay(path, () => appendFileSync(copy, `${JSON.stringify(scoredRecord(record, judgement))}\n`))
      }
  } finally {
    closeSync(copy)
  }
  orSay(path, () => renameSync(draft, path))
}
