import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TaoError } from '../core/error.ts'
import type { TextIndex } from './old-texts.ts'
import type { Hashed, State } from './snapshot.ts'

/** What a tree was like, by path. */
export type Manifest = ReadonlyMap<string, State>

/** What is known of the start of a run, beside its working copy. */
export interface Base {
  readonly states: Manifest
  /** Hashes of the working copy's own files, made before anybody else could write. */
  readonly seen: ReadonlyMap<string, Hashed>
  readonly texts: TextIndex
}

const FORMAT = 'tao-working-copy-2'

/** Beside the copy, where no command can see them. */
const manifestFile = (copy: string): string => join(dirname(copy), 'base.json')
export const textsFile = (copy: string): string => join(dirname(copy), 'base.texts')

type Row = readonly [path: string, kind: State['kind'], mode: number, content: string, stamp?: string]
type TextRow = readonly [hash: string, at: number, size: number]

interface Saved {
  readonly format?: unknown
  readonly rows?: readonly Row[]
  readonly texts?: readonly TextRow[]
}

/** Throws a `TaoError` when it cannot be written. */
export function saveBase(copy: string, { states, seen, texts }: Base): void {
  const rows = Array.from(states, ([path, { kind, mode, content }]): Row => {
    const hashed = seen.get(path)
    return hashed === undefined ? [path, kind, mode, content] : [path, kind, mode, content, hashed.stamp]
  })
  const saved: Saved = { format: FORMAT, rows, texts: Array.from(texts, ([hash, { at, size }]) => [hash, at, size]) }
  try {
    writeFileSync(manifestFile(copy), JSON.stringify(saved), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new TaoError('workspace', `${manifestFile(copy)} could not be written: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Throws a `TaoError` when the file is missing or of another version. */
export function loadBase(copy: string): Base {
  let saved: Saved
  try {
    saved = JSON.parse(readFileSync(manifestFile(copy), 'utf8')) as Saved
  } catch (error) {
    throw new TaoError('workspace', `The record of the working copy cannot be read: ${(error as Error).message}`, {
      cause: error,
      fix: 'The working copy may have been removed. Run the task again.',
    })
  }
  const { format, rows = [], texts = [] } = saved
  if (format !== FORMAT)
    throw new TaoError('workspace', `${manifestFile(copy)} was written by another version of Tao.`, {
      fix: 'Use the version that made the run.',
    })
  const seen = rows.flatMap(([path, , , hash, stamp]) =>
    stamp === undefined ? [] : [[path, { hash, stamp }] as const],
  )
  return {
    states: new Map(rows.map(([path, kind, mode, content]) => [path, { kind, mode, content }])),
    seen: new Map(seen),
    texts: new Map(texts.map(([hash, at, size]) => [hash, { at, size }])),
  }
}
