import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdtempSync,
  openSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { TaoError } from '../core/error.ts'
import { removeTree } from './remove-tree.ts'
import { hashInside } from './safe-file.ts'
import type { State } from './snapshot.ts'
import { foldersAbove } from './view.ts'
import type { Change } from './workspace.ts'
import type { WorkingCopy } from './workspace-of.ts'

/** New content, whole, on the file system of the tree, but not yet in its place. */
export interface Stage {
  /** Where the new content of a path lies. */
  at(path: string): string
  close(): Promise<void>
}

/** Rejects with a `TaoError` when not everything can be written; the tree is then as it was. */
export async function openStage(
  copy: WorkingCopy,
  changes: readonly Change[],
  states: ReadonlyMap<string, State>,
): Promise<Stage> {
  const folder = makeFolder(copy.record.source)
  const files = new Map<string, string>()
  const stage: Stage = { at: (path) => files.get(path) ?? '', close: () => removeTree(folder) }
  try {
    for (const { path } of changes) {
      const state = states.get(path)
      if (state === undefined) continue
      const file = join(folder, `${files.size}`)
      await write(copy, { path, file, state })
      files.set(path, file)
    }
    return stage
  } catch (error) {
    await stage.close()
    if (error instanceof TaoError) throw error
    throw new TaoError('workspace', `Nothing was applied: ${(error as Error).message}`, { cause: error })
  }
}

function makeFolder(source: string): string {
  try {
    return mkdtempSync(join(source, '.tao-apply-'))
  } catch (error) {
    throw new TaoError('workspace', `The tree cannot be written to: ${(error as Error).message}`, {
      cause: error,
      fix: `Look at: ls -ld ${source}`,
    })
  }
}

interface Writing {
  readonly path: string
  readonly file: string
  readonly state: State
}

async function write({ record }: WorkingCopy, { path, file, state }: Writing): Promise<void> {
  const owner = ownerFor(record.source, path)
  if (state.kind === 'link') {
    symlinkSync(state.content, file)
    if (owner !== undefined) lchownSync(file, owner.uid, owner.gid)
    return
  }
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    const hash = await hashInside(record.copy, path, (bytes) => writeWhole(descriptor, bytes))
    if (hash !== state.content) throw new TaoError('workspace', `${path} was changed while it was applied.`)
    if (owner !== undefined) fchownSync(descriptor, owner.uid, owner.gid)
    fchmodSync(descriptor, state.mode)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
}

/** Root writes in somebody else's tree: what it puts there belongs to whom the old file or its folder belonged. */
export function ownerFor(source: string, path: string): { uid: number; gid: number } | undefined {
  if (process.geteuid?.() !== 0) return undefined
  for (const part of [path, ...foldersAbove(path).reverse(), '.']) {
    try {
      const found = lstatSync(join(source, part), { throwIfNoEntry: false })
      if (found !== undefined) return { uid: found.uid, gid: found.gid }
    } catch {
      // A file stands where a folder will be.
    }
  }
  return undefined
}
