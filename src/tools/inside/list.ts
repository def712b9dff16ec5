import { readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { locate } from './locate.ts'
import { kindOf } from './open-file.ts'
import { explain, Problem } from './problem.ts'
import type { ListAnswer, ListRequest } from './request.ts'
import { type Entry, walk } from './walk.ts'

/** Names what is in a folder, nearest folders first until there are too many; the answer is sorted by path. */
export function list(root: string, request: ListRequest): ListAnswer {
  const folder = locate(root, request.path)
  if (!folder.exists) throw new Problem(`"${folder.path}" does not exist.`)
  if (!statFolder(folder)) throw new Problem(`"${folder.path}" is not a folder. Use read_file to see a file.`)
  const unreadable: string[] = []
  const entries: string[] = []
  let more = false
  for (const entry of walk(folder.absolute, { depth: request.depth, onUnreadable: (path) => unreadable.push(path) })) {
    more = entries.length >= request.maxEntries
    if (more) break
    entries.push(show(folder.absolute, entry))
  }
  const notes = unreadable.length > 0 ? [`could not be read: ${unreadable.slice(0, 5).join(', ')}`] : []
  return { entries: entries.sort(), more, notes }
}

function statFolder(folder: { readonly absolute: string; readonly path: string }): boolean {
  try {
    return statSync(folder.absolute).isDirectory()
  } catch (error) {
    throw explain(error, folder.path)
  }
}

function show(folder: string, { path, kind, ignored, named }: Entry): string {
  const name = onOneLine(path)
  if (!named) return `${name}${kind.isDirectory() ? '/' : ''} (its name is not UTF-8: these tools cannot open it)`
  if (ignored) return `${name}/ (not listed)`
  if (kind.isDirectory()) return `${name}/`
  if (kind.isSymbolicLink()) return `${name} -> ${onOneLine(linkTarget(join(folder, path)))}`
  return kind.isFile() ? name : `${name} (${kindOf(kind)})`
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '?'
  }
}

/** A name may hold line ends and colour codes; shown as JSON it cannot look like another entry. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const onOneLine = (name: string): string => (/[\0-\x1f\x7f]/.test(name) ? JSON.stringify(name) : name)
