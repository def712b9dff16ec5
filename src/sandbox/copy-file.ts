import { hash } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  futimesSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { copyFile as copyWhole } from 'node:fs/promises'
import { LARGEST_TEXT } from './old-texts.ts'
import { type OpenFolder, openFileIn } from './open-folder.ts'
import { hashOpen } from './safe-file.ts'
import type { Hashed } from './snapshot.ts'
import { type Entry, stampOf } from './tree.ts'

export interface Owner {
  readonly uid: number
  readonly gid: number
}

export type Kept = (path: string, hash: string, bytes: Buffer) => void

export interface FileCopyOptions {
  readonly owner?: Owner
  readonly hashed: (path: string) => boolean
  readonly keep?: Kept
}

/** Read and written in one piece below this size; cloned where the file system can do that above. */
const LARGE = 1 << 18
const piece = Buffer.allocUnsafe(LARGE + 1)

/** Copies a file of an open folder. Gives its hash when one is wanted. Rejects with what the system says. */
export async function copyFile(
  folder: OpenFolder,
  entry: Entry,
  target: string,
  options: FileCopyOptions,
): Promise<Hashed | undefined> {
  const { descriptor: source, size } = openFileIn(folder, entry.path.slice(entry.path.lastIndexOf('/') + 1))
  let written: number | undefined
  try {
    const isSmall = size <= LARGE
    if (!isSmall) await copyWhole(`/proc/self/fd/${source}`, target, constants.COPYFILE_FICLONE)
    written = openSync(target, isSmall ? 'wx' : 'r', entry.mode)
    const digest = isSmall ? copySmall(source, written, entry, options) : await hashLarge(written, size, entry, options)
    if (options.owner !== undefined) fchownSync(written, options.owner.uid, options.owner.gid)
    if (!isSmall || !isMadeAsAsked(written, entry.mode)) fchmodSync(written, entry.mode)
    futimesSync(written, seconds(entry), seconds(entry))
    return digest === undefined ? undefined : { hash: digest, stamp: stampOf(fstatSync(written, { bigint: true })) }
  } finally {
    closeSync(source)
    if (written !== undefined) closeSync(written)
  }
}

function copySmall(source: number, written: number, { path }: Entry, options: FileCopyOptions): string | undefined {
  let length = 0
  for (let room = piece.length; room > 0; ) {
    const count = readSync(source, piece, length, room, null)
    length += count
    room = count < room ? 0 : piece.length - length // A file's read that is short has come to its end.
  }
  const bytes = piece.subarray(0, length)
  for (let done = 0; done < length; ) done += writeSync(written, bytes, done)
  if (!options.hashed(path)) return undefined
  const digest = hash('sha256', bytes)
  options.keep?.(path, digest, bytes)
  return digest
}

async function hashLarge(
  written: number,
  size: number,
  { path }: Entry,
  { hashed, keep }: FileCopyOptions,
): Promise<string | undefined> {
  if (!hashed(path)) return undefined
  const parts: Buffer[] = []
  const isKept = keep !== undefined && size <= LARGEST_TEXT
  const digest = await hashOpen(written, isKept ? (bytes) => parts.push(Buffer.from(bytes)) : undefined)
  if (isKept) keep(path, digest, Buffer.concat(parts))
  return digest
}

const asAsked = new Map<number, boolean>()

/** What the umask takes away is the same for all files of a mode: it is looked at once. */
function isMadeAsAsked(descriptor: number, mode: number): boolean {
  let same = asAsked.get(mode)
  if (same === undefined) {
    same = (fstatSync(descriptor).mode & 0o777) === mode
    asAsked.set(mode, same)
  }
  return same
}

const seconds = (entry: Entry): number => Number(entry.modified) / 1e9
