import { hash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describeError, TaoError } from '../core/error.ts'
import type { StoredContent, StoredContents } from './stored-journal.ts'

const NAME = /^[0-9a-f]{64}$/

/**
 * Keeps each text in a file named after its SHA-256, in folders named after the first two letters; the owner alone may
 * read them. A file is there whole or not at all, also after a loss of power. Throws a `TaoError` when the disk does
 * not take it, or gives back something else.
 */
export function fileStore(folder: string): StoredContents {
  const pathOf = (sha256: string): string => join(folder, sha256.slice(0, 2), sha256)

  return {
    async put(text) {
      const bytes = Buffer.from(text)
      const sha256 = hash('sha256', bytes)
      const path = pathOf(sha256)
      try {
        if (!(await putAgain(path, bytes.length))) await writeWhole(path, bytes)
      } catch (error) {
        throw new TaoError('store', `A result could not be kept in ${folder}: ${describeError(error)}.`, {
          fix: `Make room in ${folder} and see that you may write there.`,
          cause: error,
        })
      }
      return sha256
    },
    async get(sha256) {
      if (!NAME.test(sha256)) return undefined
      const bytes = await readBytes(pathOf(sha256))
      if (bytes === undefined) return undefined
      if (hash('sha256', bytes) === sha256) return bytes.toString()
      throw new TaoError('store', `${pathOf(sha256)} does not hold what was kept there.`, {
        fix: 'It was changed or damaged; remove it, or take it from a backup.',
      })
    },
    async list() {
      const names = (await ifThere(readdir(folder, { recursive: true }))) ?? []
      const found = await Promise.all(names.map((name) => describe(join(folder, name))))
      return found.filter((content) => content !== undefined)
    },
    async remove(sha256, before) {
      const path = pathOf(sha256)
      const going = `${path}.${randomUUID()}`
      const found = await describe(path)
      if (found === undefined || found.putAt >= before) return false
      await rename(path, going)
      // Whoever put it again before this point has touched it, and whoever does so now finds nothing and writes it.
      const wasTouched = (await stat(going)).atimeMs >= before
      await (wasTouched ? rename(going, path) : rm(going))
      return !wasTouched
    },
  }
}

/** True when it is there already; the file then says that it was wanted now, and is otherwise left as it is. */
async function putAgain(path: string, bytes: number): Promise<boolean> {
  const found = await ifThere(stat(path))
  if (found?.size !== bytes) return false
  return (await ifThere(utimes(path, new Date(), found.mtime).then(() => true))) ?? false
}

async function describe(path: string): Promise<StoredContent | undefined> {
  const sha256 = basename(path)
  const found = NAME.test(sha256) ? await ifThere(stat(path)) : undefined
  if (found === undefined) return undefined
  return { sha256, bytes: found.size, putAt: Math.max(found.atimeMs, found.mtimeMs) }
}

async function readBytes(path: string): Promise<Buffer | undefined> {
  return await ifThere(readFile(path))
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.${randomUUID()}`
  try {
    await writeToDisk(unfinished, bytes)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function writeToDisk(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(bytes)
  await file.datasync()
}

async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
