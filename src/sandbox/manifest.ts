import { readFileSync, writeFileSync } from 'node:fs'
import { TaoError } from '../core/error.ts'
import type { State } from './snapshot.ts'

/** What the tree was like when the run started, by path. */
export type Manifest = ReadonlyMap<string, State>

const FORMAT = 'tao-working-copy-1'

type Row = readonly [path: string, kind: State['kind'], mode: number, content: string]

/** Throws a `TaoError` when it cannot be written. */
export function saveManifest(file: string, manifest: Manifest): void {
  const rows = Array.from(manifest, ([path, { kind, mode, content }]): Row => [path, kind, mode, content])
  try {
    writeFileSync(file, JSON.stringify({ format: FORMAT, rows }), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new TaoError('workspace', `${file} could not be written: ${(error as Error).message}`, { cause: error })
  }
}

/** Throws a `TaoError` when the file is missing or of another version. */
export function loadManifest(file: string): Manifest {
  let saved: { readonly format?: unknown; readonly rows?: unknown }
  try {
    saved = JSON.parse(readFileSync(file, 'utf8')) as object
  } catch (error) {
    throw new TaoError('workspace', `The record of the working copy cannot be read: ${(error as Error).message}`, {
      cause: error,
      fix: 'The working copy may have been removed. Run the task again.',
    })
  }
  if (saved.format !== FORMAT || !Array.isArray(saved.rows))
    throw new TaoError('workspace', `${file} was written by another version of Tao.`, {
      fix: 'Use the version that made the run.',
    })
  return new Map((saved.rows as Row[]).map(([path, kind, mode, content]) => [path, { kind, mode, content }]))
}
