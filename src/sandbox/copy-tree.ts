import { hash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  futimesSync,
  lchownSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { TaoError } from '../core/error.ts'
import { pace } from './pace.ts'
import { hashInside, openInside } from './safe-file.ts'
import type { Hashed } from './snapshot.ts'
import { type Entry, type Skipped, stampOf, tooDeep, UNREADABLE } from './tree.ts'

export interface CopyOptions {
  /** Real path of the tree to be read. */
  readonly from: string
  /** A folder that exists and is empty. */
  readonly to: string
  /** Sorted by path. */
  readonly entries: readonly Entry[]
  /** Who gets the copy; undefined for the user that Tao runs as. */
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** Which files' content is to be hashed on the way. */
  readonly hashed: (path: string) => boolean
}

export interface CopyResult {
  readonly hashes: ReadonlyMap<string, Hashed>
  readonly skipped: readonly Skipped[]
}

/** Read and written in one piece below this size; cloned where the file system can do that above. */
const LARGE = 1 << 18

/**
 * Copies entries as files of their own: no two of them share an inode, with each other or with the tree they come from.
 * Modes and times are kept. What cannot be read is skipped. Rejects with a `TaoError` when the copy cannot be written.
 */
export async function copyTree(options: CopyOptions): Promise<CopyResult> {
  const { from, to, entries, owner } = options
  const hashes = new Map<string, Hashed>()
  const skipped: Skipped[] = []
  const turn = pace()
  for (const entry of entries) {
    try {
      const target = `${to}/${entry.path}`
      if (entry.kind === 'folder') mkdirSync(target, 0o700)
      else if (entry.kind === 'link') makeLink(entry, target, owner)
      else {
        const hashed = await copyContent(from, entry, target, options)
        if (hashed !== undefined) hashes.set(entry.path, hashed)
      }
    } catch (error) {
      skipped.push({ path: entry.path, why: whyNotCopied(error, entry.path) })
    }
    await turn()
  }
  // Last, since a folder may forbid writing, and writing changes its time.
  for (const entry of entries.filter(({ kind }) => kind === 'folder').reverse()) {
    setFolder(entry, `${to}/${entry.path}`, owner)
    await turn()
  }
  return { hashes, skipped }
}

function makeLink(entry: Entry, target: string, owner: CopyOptions['owner']): void {
  symlinkSync(entry.target ?? '', target)
  if (owner !== undefined) lchownSync(target, owner.uid, owner.gid)
}

async function copyContent(
  from: string,
  entry: Entry,
  target: string,
  { owner, hashed, to }: CopyOptions,
): Promise<Hashed | undefined> {
  const source = openInside(from, entry.path)
  let written: number | undefined
  let digest: string | undefined
  try {
    if (entry.size >= LARGE) await copyFile(`/proc/self/fd/${source}`, target, constants.COPYFILE_FICLONE)
    written = openSync(target, entry.size >= LARGE ? 'r+' : 'wx', 0o600)
    if (entry.size < LARGE) {
      const bytes = readFileSync(source)
      writeFileSync(written, bytes)
      if (hashed(entry.path)) digest = hash('sha256', bytes)
    } else if (hashed(entry.path)) digest = await hashInside(to, entry.path)
    if (owner !== undefined) fchownSync(written, owner.uid, owner.gid)
    fchmodSync(written, entry.mode)
    futimesSync(written, seconds(entry), seconds(entry))
    return digest === undefined ? undefined : { hash: digest, stamp: stampOf(fstatSync(written, { bigint: true })) }
  } finally {
    closeSync(source)
    if (written !== undefined) closeSync(written)
  }
}

function setFolder(entry: Entry, target: string, owner: CopyOptions['owner']): void {
  if (owner !== undefined) chownSync(target, owner.uid, owner.gid)
  chmodSync(target, entry.mode)
  utimesSync(target, seconds(entry), seconds(entry))
}

const seconds = (entry: Entry): number => Number(entry.modified) / 1e9

function whyNotCopied(error: unknown, path: string): string {
  const cause = error instanceof TaoError ? error.cause : error
  const { code, syscall, message } = (cause ?? error) as NodeJS.ErrnoException
  if (code === 'ENAMETOOLONG') throw tooDeep(path)
  if (syscall === 'open' && (code === 'EACCES' || code === 'EPERM')) return UNREADABLE
  if (code === 'ENOENT' || code === 'ELOOP') return 'it vanished while the tree was copied'
  if (error instanceof TaoError && cause === undefined) return 'it was exchanged while the tree was copied'
  throw new TaoError('workspace', `The working copy of ${path} could not be written: ${message}`, {
    cause: error,
    fix: 'Look at the free space and the rights where working copies are kept: df -h',
  })
}
