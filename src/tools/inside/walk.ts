import { isUtf8 } from 'node:buffer'
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Folders that are not entered on the way; one that is asked for by its own path is. */
const IGNORED_FOLDERS: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.venv', '__pycache__', 'node_modules'])

export interface Entry {
  /** Relative to the folder that is walked. */
  readonly path: string
  readonly kind: Dirent<Buffer>
  readonly ignored: boolean
  /** False for a name that is not UTF-8: it is shown with its bytes, and cannot be opened by these tools. */
  readonly named: boolean
}

export interface Walk {
  /** 1: only the folder itself. */
  readonly depth: number
  /** Called for each folder that cannot be read. */
  readonly onUnreadable: (path: string) => void
}

/** All entries below a folder, nearest folders first, each folder sorted by name. Links are told, never followed. */
export function* walk(folder: string, options: Walk): Generator<Entry> {
  const waiting = [{ path: '', depth: 1 }]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const kind of readFolder(folder, next.path, options)) {
      const path = join(next.path, showName(kind.name))
      const ignored = kind.isDirectory() && IGNORED_FOLDERS.has(kind.name.toString())
      const named = isUtf8(kind.name)
      yield { path, kind, ignored, named }
      if (kind.isDirectory() && !ignored && next.depth < options.depth && named)
        waiting.push({ path, depth: next.depth + 1 })
    }
  }
}

function readFolder(folder: string, path: string, options: Walk): Dirent<Buffer>[] {
  try {
    const entries = readdirSync(join(folder, path), { withFileTypes: true, encoding: 'buffer' })
    return entries.sort((a, b) => Buffer.compare(a.name, b.name))
  } catch {
    options.onUnreadable(path || '.')
    return []
  }
}

/** A name that is not UTF-8 cannot be passed to these tools; it is shown with its bytes and not opened. */
function showName(name: Buffer): string {
  if (isUtf8(name)) return name.toString()
  return Array.from(name, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`)).join('')
}
