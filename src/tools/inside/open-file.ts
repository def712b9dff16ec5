import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import type { Located } from './locate.ts'
import { explain, Problem } from './problem.ts'

/** Files beyond this many bytes are not loaded. */
const MAX_FILE_BYTES = 16 << 20

export interface LoadedFile {
  readonly content: Buffer
  readonly mode: number
  /** How many names the file has. */
  readonly links: number
}

/**
 * Loads a regular file whole. Never waits: a FIFO, a device or a socket is refused, and what is opened is looked at
 * again through its handle. Throws a `Problem`.
 */
export function loadFile(file: Located, limit: number = MAX_FILE_BYTES): LoadedFile {
  const handle = open(file)
  try {
    const stats = fstatSync(handle)
    refuseIrregular(file.path, stats)
    if (stats.size > limit) throw tooLarge(file.path, stats.size, limit)
    const content = readUpTo(handle, limit + 1, stats.size)
    if (content.length > limit) throw tooLarge(file.path, content.length, limit)
    return { content, mode: stats.mode & 0o7777, links: stats.nlink }
  } finally {
    closeSync(handle)
  }
}

export const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

function open(file: Located): number {
  try {
    refuseIrregular(file.path, lstatSync(file.absolute))
    return openSync(
      file.absolute,
      constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY,
    )
  } catch (error) {
    throw explain(error, file.path)
  }
}

function refuseIrregular(path: string, stats: Stats): void {
  if (stats.isFile()) return
  if (stats.isDirectory()) throw new Problem(`"${path}" is a folder. Use list_files to see what is in it.`)
  throw new Problem(`"${path}" is ${kindOf(stats)}, not a regular file.`)
}

export function kindOf(stats: Pick<Stats, 'isFIFO' | 'isSocket' | 'isBlockDevice' | 'isCharacterDevice'>): string {
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return stats.isBlockDevice() || stats.isCharacterDevice() ? 'a device' : 'something unknown'
}

/** Does not trust the size: files of the kernel say 0, and a file may grow. */
function readUpTo(handle: number, limit: number, expected: number): Buffer {
  const chunks: Buffer[] = []
  for (let total = 0; total < limit; ) {
    const chunk = Buffer.allocUnsafe(Math.min(limit - total, Math.max(expected - total + 1, 65_536)))
    const count = readSync(handle, chunk)
    if (count === 0) break
    chunks.push(chunk.subarray(0, count))
    total += count
  }
  return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)
}

function tooLarge(path: string, size: number, limit: number): Problem {
  return new Problem(
    `"${path}" has ${size} bytes; at most ${limit} can be opened. Use bash (head, tail, sed -n, grep) to see a part of it.`,
  )
}
