import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describeError, TaoError } from '../../core/error.ts'
import { linesOf } from '../lines.ts'
import { type Attempt, type RecordPlace, readAttempt } from './attempt.ts'

/** Everything that was tried with one dataset, as it stands in result files. */
export interface ResultSet {
  readonly files: readonly string[]
  /** One for each item and rollout. */
  readonly attempts: readonly Attempt[]
  /** Lines that are no record, each with its place. They count for nothing. */
  readonly problems: readonly string[]
}

/** Names of result files: ours, and those of Alibaba's DeepResearch; of a whole dataset or of a part. */
const RESULT_FILE = /^(?:rollout-(\d+)(?:-part-\d+-of-\d+)?|iter(\d+)(?:_split\d+of\d+)?)\.jsonl$/

/** The result files that are meant: those in a folder, or these files. Throws a `TaoError` where there are none. */
export function resultFiles(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => (isFolder(path) ? filesIn(path) : [path]))
  if (files.length > 0) return files
  throw new TaoError('results', `There are no results in ${paths.join(', ')}.`, {
    fix: 'Give a folder that tao batch has written, or *.jsonl files with one record a line.',
  })
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    throw new TaoError('results', `The results ${path} cannot be read: ${describeError(error)}`, {
      fix: 'Name the folder that tao batch wrote, or its *.jsonl files.',
    })
  }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => RESULT_FILE.test(name))
    .sort((a, b) => rolloutOf(a, 0) - rolloutOf(b, 0) || (a < b ? -1 : 1))
    .map((name) => join(folder, name))

function rolloutOf(path: string, otherwise: number): number {
  const [, ours, theirs] = RESULT_FILE.exec(basename(path)) ?? []
  return Number(ours ?? theirs ?? otherwise)
}

/**
 * Reads result files, changing none of them. Of two records of one rollout the later one counts: the original leaves the line
 * of a failed attempt standing and writes another.
 */
export async function readResults(files: readonly string[]): Promise<ResultSet> {
  const attempts = new Map<string, Attempt>()
  const problems: string[] = []
  for (const [at, path] of files.entries())
    for await (const { text, number, isWhole } of linesOf(path)) {
      if (text.trim() === '') continue
      const found = readLine(text, { rollout: rolloutOf(path, at + 1), file: path, line: number })
      if (typeof found !== 'string') attempts.set(nameOf(found), found)
      else problems.push(`${path}:${number} is no record: ${isWhole ? found : 'it was cut off while it was written'}`)
    }
  return { files, attempts: [...attempts.values()], problems }
}

/** The same of records that are at hand; they are told by their number in the list, from 1. */
export function readRecords(records: readonly unknown[]): ResultSet {
  const attempts = new Map<string, Attempt>()
  const problems: string[] = []
  for (const [at, record] of records.entries()) {
    const found = readAttempt(record, { rollout: 1, file: '', line: at + 1 })
    if (typeof found !== 'string') attempts.set(nameOf(found), found)
    else problems.push(`result ${at + 1} is no record: ${found}`)
  }
  return { files: [], attempts: [...attempts.values()], problems }
}

const nameOf = ({ rollout, id }: Attempt): string => `${rollout} ${id}`

function readLine(text: string, place: RecordPlace): Attempt | string {
  try {
    return readAttempt(JSON.parse(text.replace(/^\ufeff/, '')), place)
  } catch (error) {
    return `it is no JSON: ${describeError(error)}`
  }
}
