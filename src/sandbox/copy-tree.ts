import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { TaoError } from '../core/error.ts'
import { copyFile, type Kept, type Owner } from './copy-file.ts'
import { openFolder } from './open-folder.ts'
import { pace, type Turn } from './pace.ts'
import type { Hashed } from './snapshot.ts'
import { type Entry, EXCHANGED, type Skipped, tooDeep, UNREADABLE } from './tree.ts'

export interface CopyOptions {
  /** Real path of the tree to be read. */
  readonly from: string
  /** A folder that exists, is empty, and that nobody else can write to yet. */
  readonly to: string
  /** Sorted by path. */
  readonly entries: readonly Entry[]
  /** Who gets the copy; undefined for the user that Tao runs as. */
  readonly owner?: Owner
  /** Which files' content is to be hashed on the way. */
  readonly hashed: (path: string) => boolean
  /** Told of the content of each hashed file that is not large. */
  readonly keep?: Kept
  readonly signal?: AbortSignal
}

export interface CopyResult {
  readonly hashes: ReadonlyMap<string, Hashed>
  readonly skipped: readonly Skipped[]
}

interface Copying extends CopyOptions {
  readonly hashes: Map<string, Hashed>
  readonly skipped: Skipped[]
  readonly turn: Turn
}

/**
 * Copies entries as files of their own: no two of them share an inode, with each other or with the tree they come from.
 * Modes and times are kept. What cannot be read is skipped. Rejects with a `TaoError` when the copy cannot be written, and
 * with the signal's reason.
 */
export async function copyTree(options: CopyOptions): Promise<CopyResult> {
  const { to, entries, owner, signal } = options
  const copying: Copying = { ...options, hashes: new Map(), skipped: [], turn: pace(signal) }
  for (const [folder, within] of byFolder(entries)) await copyFolder(copying, folder, within)
  // Last, since a folder may forbid writing, and writing changes its time.
  const lost = new Set(copying.skipped.map(({ path }) => path))
  for (const entry of entries.filter(({ kind, path }) => kind === 'folder' && !lost.has(path)).reverse()) {
    setFolder(entry, `${to}/${entry.path}`, owner)
    await copying.turn()
  }
  return { hashes: copying.hashes, skipped: copying.skipped }
}

/** Each folder is opened once. A folder stands before those in it. */
function byFolder(entries: readonly Entry[]): Map<string, Entry[]> {
  const folders = new Map<string, Entry[]>()
  for (const entry of entries) {
    const folder = entry.path.slice(0, Math.max(0, entry.path.lastIndexOf('/')))
    const within = folders.get(folder)
    if (within === undefined) folders.set(folder, [entry])
    else within.push(entry)
  }
  return folders
}

async function copyFolder(copying: Copying, folder: string, within: readonly Entry[]): Promise<void> {
  const { from, to, owner, skipped, hashes, turn } = copying
  try {
    using open = openFolder(folder === '' ? from : `${from}/${folder}`)
    for (const entry of within) {
      const { kind, path } = entry
      const target = `${to}/${path}`
      try {
        if (kind === 'folder') mkdirSync(target, 0o700)
        else if (kind === 'link') makeLink(entry, target, owner)
        else {
          const hashed = await copyFile(open, entry, target, copying)
          if (hashed !== undefined) hashes.set(path, hashed)
        }
      } catch (error) {
        skipped.push({ path, why: whyNotCopied(error, path) })
      }
      const pause = turn()
      if (pause !== undefined) await pause
    }
  } catch (error) {
    if (copying.signal?.aborted === true) throw error
    const why = whyNotCopied(error, folder)
    for (const { path } of within) skipped.push({ path, why })
  }
}

function makeLink(entry: Entry, target: string, owner: Owner | undefined): void {
  symlinkSync(entry.target ?? '', target)
  if (owner !== undefined) lchownSync(target, owner.uid, owner.gid)
}

function setFolder(entry: Entry, target: string, owner: Owner | undefined): void {
  if (owner !== undefined) chownSync(target, owner.uid, owner.gid)
  chmodSync(target, entry.mode)
  utimesSync(target, Number(entry.modified) / 1e9, Number(entry.modified) / 1e9)
}

function whyNotCopied(error: unknown, path: string): string {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === 'ENAMETOOLONG') throw tooDeep(path)
  if (error instanceof TaoError && error.fix === undefined) return EXCHANGED
  if (syscall === 'open' && (code === 'EACCES' || code === 'EPERM')) return UNREADABLE
  if (code === 'ENOENT') return 'it vanished while the tree was copied'
  if (code === 'ELOOP' || code === 'ENOTDIR') return EXCHANGED
  throw new TaoError('workspace', `The working copy of ${path} could not be written: ${message}`, {
    cause: error,
    fix: 'Look at the free space and the rights where working copies are kept: df -h',
  })
}
