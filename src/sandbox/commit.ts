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
import { type ApplyRecord, type OnStep, type PlannedChange, syncFolder } from './apply-record.ts'
import { compareWithSource } from './conflict.ts'
import { liesAt } from './open-folder.ts'
import { ownerFor } from './stage.ts'
import { listTree } from './tree.ts'
import { foldersAbove } from './view.ts'

interface Work {
  readonly record: ApplyRecord
  readonly onStep: OnStep
  /** Folders in which something was done. */
  readonly touched: Set<string>
}

/**
 * Carries changes out, from wherever a former try was cut off. Removes first, since a file may give way to a folder and a
 * folder to a file. Every step is done in a folder that is held open and known to lie in the tree, so no link made
 * meanwhile can lead it elsewhere.
 */
export async function commit(record: ApplyRecord, open: readonly PlannedChange[], onStep: OnStep): Promise<void> {
  const work: Work = { record, onStep, touched: new Set() }
  for (const change of open) if (change.after === null) await remove(work, change)
  for (const folder of record.gone) removeFolder(work, folder)
  for (const change of open) if (change.after !== null) await put(work, change)
  onStep('bring all names to the disk')
  for (const folder of work.touched) if (isFolder(folder)) syncFolder(folder)
}

/** False when somebody threw away what waited to be moved, or put a file back that had been written. */
export const isContentThere = ({ source }: ApplyRecord, open: readonly PlannedChange[]): boolean =>
  open.every(({ after, staged }) => after === null || isThere(join(source, staged ?? '')))

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

async function remove(work: Work, change: PlannedChange): Promise<void> {
  if (!(await isStillOpen(work, change))) return
  work.onStep(`remove ${change.path}`)
  inFolder(work, change.path, unlinkSync)
}

async function put(work: Work, change: PlannedChange): Promise<void> {
  const { source } = work.record
  const { path, staged = '' } = change
  makeFoldersAbove(work, path)
  if (isFolder(join(source, path))) await removeEmptyTree(work, path)
  if (!(await isStillOpen(work, change))) return
  work.onStep(`put ${path} in place`)
  inFolder(work, path, (place) => renameSync(join(source, staged), place))
}

/** Looked at once more just before it is written over. */
async function isStillOpen({ record }: Work, change: PlannedChange): Promise<boolean> {
  const { open, conflicts } = await compareWithSource(record.source, [change], record.changes)
  if (conflicts.length > 0) throw new TaoError('conflict', `${change.path} was changed while the run was applied.`)
  return open.length > 0
}

/** `act` gets a path for the entry that leads through the open folder. */
function inFolder({ record, touched }: Work, path: string, act: (place: string) => void): void {
  const folder = join(record.source, dirname(path))
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    if (!liesAt(descriptor, folder)) throw new TaoError('workspace', `A link stands in the way to ${path}.`)
    act(process.platform === 'linux' ? `/proc/self/fd/${descriptor}/${basename(path)}` : join(record.source, path))
    touched.add(folder)
  } finally {
    closeSync(descriptor)
  }
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const STAYS: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY', 'ENOTDIR'])

function removeFolder(work: Work, folder: string): void {
  try {
    work.onStep(`remove the folder ${folder}`)
    inFolder(work, folder, rmdirSync)
  } catch (error) {
    if (!STAYS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** A folder whose files are all removed may still hold folders. */
async function removeEmptyTree(work: Work, folder: string): Promise<void> {
  const { entries } = await listTree(join(work.record.source, folder))
  for (const { path } of [...entries].reverse()) removeFolder(work, `${folder}/${path}`)
  removeFolder(work, folder)
}

function makeFoldersAbove(work: Work, path: string): void {
  const { source, folders } = work.record
  const modes = new Map(folders)
  for (const folder of foldersAbove(path)) {
    if (lstatSync(join(source, folder), { throwIfNoEntry: false }) !== undefined) continue
    const owner = ownerFor(source, folder)
    work.onStep(`make the folder ${folder}`)
    inFolder(work, folder, (place) => {
      mkdirSync(place)
      if (owner !== undefined) lchownSync(place, owner.uid, owner.gid)
      chmodSync(place, modes.get(folder) ?? 0o755)
    })
  }
}
