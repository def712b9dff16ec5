import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readAppended } from './append-file.ts'
import type { BatchRecord } from './record.ts'

/**
 * Takes the records with an `error` out of a result file, so that their rollouts are run again; resolves to their ids. The file
 * is exchanged in one step: it never holds less than the records that stay.
 */
export async function takeOutFailed(path: string): Promise<string[]> {
  if (!existsSync(path)) return []
  const draft = `${path}.new`
  const failed: string[] = []
  writeFileSync(draft, '')
  for await (const record of readAppended(path) as AsyncIterable<Partial<BatchRecord>>) {
    if (record.error !== undefined && record.id !== undefined) failed.push(record.id)
    else appendFileSync(draft, `${JSON.stringify(record)}\n`)
  }
  if (failed.length === 0) rmSync(draft)
  else renameSync(draft, path)
  return failed
}
