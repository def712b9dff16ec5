import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Located, locate } from './locate.ts'
import { loadFile } from './open-file.ts'
import { explain, Problem } from './problem.ts'
import { refuseChanged, refuseUnwritable, remarksOnReplaced, replaceFile } from './replace-file.ts'
import type { WriteAnswer, WriteRequest } from './request.ts'

/** Writes a whole file, with the folders above it. A file that nobody has read is not replaced. Throws a `Problem`. */
export function write(root: string, request: WriteRequest): WriteAnswer {
  const file = locate(root, request.path)
  const content = Buffer.from(request.text, 'utf8')
  const written = { path: file.path, bytes: content.length }
  if (!file.exists) {
    makeFolders(file)
    return { ...written, sha256: replaceFile(file, content), created: true, remarks: [] }
  }
  const loaded = loadFile(file)
  refuseUnwritable(file, loaded)
  if (request.seen === undefined)
    throw new Problem(`"${file.path}" exists and has not been read in this run. Read it first, or use edit.`)
  refuseChanged(file, loaded.content, request.seen)
  const sha256 = replaceFile(file, content, loaded.mode)
  return { ...written, sha256, created: false, remarks: remarksOnReplaced(loaded) }
}

function makeFolders(file: Located): void {
  try {
    mkdirSync(dirname(file.absolute), { recursive: true })
  } catch (error) {
    throw explain(error, file.path)
  }
}
