import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { TaoError } from '../core/error.ts'
import type { ApplyRecord, OnStep, PlannedChange } from './apply-record.ts'
import { syncFolder } from './apply-record.ts'
import { removeTree } from './remove-tree.ts'
import { hashInside } from './safe-file.ts'
import { foldersAbove } from './view.ts'

/**
 * Chooses where new content is put before it is moved into place: on the file system it is going to, since a file moves at
 * once only within one. Nothing is made yet.
 */
export function planStages(source: string, changes: readonly PlannedChange[]): Pick<ApplyRecord, 'stages' | 'changes'> {
  const name = `.tao-apply-${randomUUID()}`
  const stages = new Set<string>()
  const planned = changes.map((change, at) => {
    if (change.after === null) return change
    const top = topOfFileSystem(source, change.path)
    const stage = top === '' ? name : `${top}/${name}`
    stages.add(stage)
    return { ...change, staged: `${stage}/${at}` }
  })
  return { stages: [...stages], changes: planned }
}

/** The outermost folder of the tree on the file system that a path is going to; empty for the tree's own. */
function topOfFileSystem(source: string, path: string): string {
  let [top, device] = ['', lstatSync(source).dev]
  for (const folder of foldersAbove(path)) {
    const found = lstatSync(join(source, folder), { throwIfNoEntry: false })
    if (found === undefined || !found.isDirectory()) break
    if (found.dev !== device) [top, device] = [folder, found.dev]
  }
  return top
}

/** Writes all new content, whole and on the disk, beside the tree's files. Rejects when that cannot be done. */
export async function fillStages(copy: string, record: Omit<ApplyRecord, 'by'>, onStep: OnStep): Promise<void> {
  const { source, stages, changes } = record
  for (const stage of stages) {
    onStep(`make the folder ${stage}`)
    makeStage(source, stage)
  }
  for (const change of changes) if (change.staged !== undefined) await write(copy, source, change, onStep)
  for (const stage of stages) syncFolder(join(source, stage))
}

function makeStage(source: string, stage: string): void {
  try {
    mkdirSync(join(source, stage), { mode: 0o700 })
  } catch (error) {
    const folder = join(source, stage, '..')
    throw new TaoError(
      'workspace',
      `Nothing was applied: ${folder} cannot be written to: ${(error as Error).message}`,
      {
        cause: error,
        fix: `New content is put there first, so that all of it can be moved into place at once. Look at: ls -ld ${folder}`,
      },
    )
  }
}

export async function removeStages({ source, stages }: ApplyRecord, onStep: OnStep): Promise<void> {
  for (const stage of stages) {
    onStep(`remove the folder ${stage}`)
    await removeTree(join(source, stage))
  }
}

async function write(copy: string, source: string, change: PlannedChange, onStep: OnStep): Promise<void> {
  const { path, after, staged = '' } = change
  const target = join(source, staged)
  const owner = ownerFor(source, path)
  onStep(`write the new content of ${path}`)
  if (after?.kind === 'link') {
    symlinkSync(after.content, target)
    if (owner !== undefined) lchownSync(target, owner.uid, owner.gid)
    return
  }
  const descriptor = openSync(target, 'wx', 0o600)
  try {
    const hash = await hashInside(copy, path, (bytes) => writeWhole(descriptor, bytes))
    onStep(`finish the new content of ${path}`)
    if (hash !== after?.content) throw new TaoError('workspace', `${path} was changed while it was applied.`)
    if (owner !== undefined) fchownSync(descriptor, owner.uid, owner.gid)
    fchmodSync(descriptor, after.mode)
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
