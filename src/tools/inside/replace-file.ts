import { randomUUID } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Located } from './locate.ts'
import { type LoadedFile, sha256 } from './open-file.ts'
import { explain, Problem } from './problem.ts'

/**
 * Puts a file in place at once: written beside it, then renamed over it, then read again and compared. When it fails the
 * file is as it was. Without a mode, it gets the one new files get. Returns the SHA-256 of what is there now.
 */
export function replaceFile(file: Located, content: Buffer, mode?: number): string {
  const temporary = join(dirname(file.absolute), `.tao-${randomUUID()}.tmp`)
  try {
    writeNew(temporary, content, mode)
    renameSync(temporary, file.absolute)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw explain(error, file.path)
  }
  const written = sha256(readFileSync(file.absolute))
  if (written !== sha256(content)) throw new Problem(`"${file.path}" is not what was written to it. Read it again.`)
  return written
}

function writeNew(path: string, content: Buffer, mode: number | undefined): void {
  const handle = openSync(path, 'wx', mode === undefined ? 0o666 : 0o600)
  try {
    writeFileSync(handle, content)
    if (mode !== undefined) fchmodSync(handle, mode)
  } finally {
    closeSync(handle)
  }
}

/** Renaming would get round the permissions of the file itself, so they are asked first. */
export function refuseUnwritable(file: Located, { mode }: LoadedFile): void {
  try {
    accessSync(file.absolute, constants.W_OK)
  } catch (error) {
    throw explain(error, file.path)
  }
  if ((mode & 0o222) === 0) throw new Problem(`"${file.path}" is read-only: its permissions forbid writing.`)
}

/** `seen`: SHA-256 of what was last read of the file; undefined when nobody has read it. */
export function refuseChanged(file: Located, content: Buffer, seen: string | undefined): void {
  if (seen === undefined || seen === sha256(content)) return
  throw new Problem(`"${file.path}" has changed since it was last read. Read it again before changing it.`)
}

/** What a person or a later call should know about the file that was replaced. */
export function remarksOnReplaced({ links }: LoadedFile): string[] {
  return links > 1 ? ['the file had another name (a hard link), which keeps the old content'] : []
}
