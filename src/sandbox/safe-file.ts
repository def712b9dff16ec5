import { createHash, hash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { TaoError } from '../core/error.ts'
import { liesAt, openFolder } from './open-folder.ts'
import { pace } from './pace.ts'

const CHUNK = 1 << 18
const SMALL = 1 << 18

/**
 * Opens a regular file in a folder that somebody else can write to. Links are not followed, pipes do not block, and the
 * open file must lie where it was asked for: then no exchange of a folder for a link led elsewhere. `root` must be a real
 * path. The caller closes the descriptor. Throws a `TaoError`.
 */
export function openInside(root: string, path: string): number {
  let descriptor: number
  try {
    descriptor = openSync(`${root}/${path}`, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    throw new TaoError('workspace', `${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  try {
    if (!fstatSync(descriptor).isFile() || !liesAt(descriptor, `${root}/${path}`))
      throw new TaoError('workspace', `${path} is not a file of the workspace any more.`)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/**
 * What stands at a path of such a folder, links not followed; undefined for nothing. Throws a `TaoError` when a link stands
 * in the way, and what the system says when it cannot be told.
 */
export function lookInside(root: string, path: string): Stats | undefined {
  const above = dirname(`${root}/${path}`)
  try {
    using folder = openFolder(above)
    return lstatSync(folder.at(basename(path)), { throwIfNoEntry: false })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
  if (isLink(above)) throw new TaoError('workspace', `A link stands in the way to ${path}.`)
  return undefined
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false // The way ends before it.
  }
}

/** Uses a descriptor and closes it. */
export function closing<T>(descriptor: number, use: (descriptor: number) => T): T {
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** SHA-256 in hexadecimal; `take` sees the content on the way, piece by piece. */
export async function hashInside(root: string, path: string, take?: (bytes: Uint8Array) => void): Promise<string> {
  const descriptor = openInside(root, path)
  try {
    const { size } = fstatSync(descriptor)
    if (size < SMALL && take === undefined) return hash('sha256', readFileSync(descriptor))
    return await hashOpen(descriptor, take)
  } finally {
    closeSync(descriptor)
  }
}

/** The same of an open file, from where it is read next. */
export async function hashOpen(descriptor: number, take?: (bytes: Uint8Array) => void): Promise<string> {
  const hash = createHash('sha256')
  const turn = pace()
  const buffer = Buffer.allocUnsafe(CHUNK)
  for (let n = readSync(descriptor, buffer); n > 0; n = readSync(descriptor, buffer)) {
    const bytes = buffer.subarray(0, n)
    hash.update(bytes)
    take?.(bytes)
    await turn()
  }
  return hash.digest('hex')
}
