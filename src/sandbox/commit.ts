import {
  chmodSync,
  closeSync,
  constants,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { TaoError } from '../core/error.ts'
import { liesAt } from './safe-file.ts'
import { ownerFor, type Stage } from './stage.ts'
import { listTree } from './tree.ts'
import { foldersAbove } from './view.ts'
import type { Change } from './workspace.ts'
import type { WorkingCopy } from './workspace-of.ts'

/**
 * Carries changes out. Removes first, since a file may give way to a folder and a folder to a file. Every step is done in
 * a folder that is held open and known to lie in the tree, so no link made meanwhile can lead it elsewhere.
 */
export async function commit(copy: WorkingCopy, changes: readonly Change[], stage: Stage): Promise<void> {
  const { source } = copy.record
  const removed = changes.filter(({ kind }) => kind === 'removed').map(({ path }) => path)
  for (const path of removed) inFolder(source, path, unlinkSync)
  removeEmptied(copy, removed)
  for (const { path, kind } of changes) {
    if (kind === 'removed') continue
    makeFoldersAbove(copy, path)
    if (lstatSync(join(source, path), { throwIfNoEntry: false })?.isDirectory()) await removeEmptyTree(source, path)
    inFolder(source, path, (place) => renameSync(stage.at(path), place))
  }
}

/** `act` gets a path for the entry that leads through the open folder. */
function inFolder(source: string, path: string, act: (place: string) => void): void {
  const folder = join(source, dirname(path))
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    if (!liesAt(descriptor, folder)) throw new TaoError('workspace', `A link stands in the way to ${path}.`)
    act(process.platform === 'linux' ? `/proc/self/fd/${descriptor}/${basename(path)}` : join(source, path))
  } finally {
    closeSync(descriptor)
  }
}

/** Folders that the working copy no longer has, as far as nothing else lies in them. */
function removeEmptied({ record }: WorkingCopy, removed: readonly string[]): void {
  const folders = [...new Set(removed.flatMap(foldersAbove))].sort().reverse()
  for (const folder of folders) if (!isFolder(join(record.copy, folder))) removeFolder(record.source, folder)
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function removeFolder(source: string, folder: string): void {
  try {
    inFolder(source, folder, rmdirSync)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT' && code !== 'EBUSY') throw error
  }
}

/** A folder whose files are all removed may still hold folders. */
async function removeEmptyTree(source: string, folder: string): Promise<void> {
  const { entries } = await listTree(join(source, folder))
  for (const { path } of [...entries].reverse()) removeFolder(source, `${folder}/${path}`)
  removeFolder(source, folder)
}

function makeFoldersAbove({ record }: WorkingCopy, path: string): void {
  for (const folder of foldersAbove(path)) {
    const target = join(record.source, folder)
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) continue
    const owner = ownerFor(record.source, folder)
    const mode = lstatSync(join(record.copy, folder)).mode & 0o777
    inFolder(record.source, folder, (place) => {
      mkdirSync(place)
      if (owner !== undefined) lchownSync(place, owner.uid, owner.gid)
      chmodSync(place, mode)
    })
  }
}
