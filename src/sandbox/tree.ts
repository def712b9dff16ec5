import { type BigIntStats, type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { TaoError } from '../core/error.ts'
import { pace } from './pace.ts'

/** One entry of a tree, looked at without following it. */
export interface Entry {
  /** Relative, with slashes. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link'
  /** The nine permission bits. */
  readonly mode: number
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  readonly changed: bigint
  /** Size, times and inode. Another stamp is another content; no program can set back when an entry last changed. */
  readonly stamp: string
  /** Where a link leads to. */
  readonly target?: string
}

export interface Skipped {
  readonly path: string
  readonly why: string
}

export interface Listing {
  /** Sorted by path, so that a folder stands before what is in it. */
  readonly entries: readonly Entry[]
  readonly skipped: readonly Skipped[]
}

export const UNREADABLE = 'it cannot be read with the rights of this user'
const MOST_ENTRIES = 500_000

/**
 * Lists a tree. What cannot be copied faithfully or safely is left out with a reason; what this user may not read is an
 * error instead where `unreadable` says so. `root` must be a real path. Rejects with a `TaoError`.
 */
export async function listTree(root: string, unreadable: 'skip' | 'refuse' = 'skip'): Promise<Listing> {
  const entries: Entry[] = []
  const skipped: Skipped[] = []
  const turn = pace()
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const found of readFolder(root, folder, skipped)) {
      const name = found.name.toString('utf8')
      const path = folder === '' ? name : `${folder}/${name}`
      const entry = Buffer.from(name).equals(found.name) ? readEntry(root, path) : 'its name is not UTF-8'
      if (typeof entry === 'string') skipped.push({ path, why: entry })
      else entries.push(entry)
      if (typeof entry !== 'string' && entry.kind === 'folder') folders.push(path)
      if (entries.length > MOST_ENTRIES) throw tooMany(root)
      await turn()
    }
  }
  const closed = skipped.find(({ why }) => why === UNREADABLE)
  if (closed !== undefined && unreadable === 'refuse')
    throw new TaoError('workspace', `${closed.path}: ${UNREADABLE}.`, {
      fix: `Open it with: chmod u+rwx ${join(root, closed.path)}`,
    })
  return { entries: entries.sort(byPath), skipped: skipped.sort(byPath) }
}

export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0

function readFolder(root: string, folder: string, skipped: Skipped[]): Dirent<Buffer>[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    skipped.push({ path: folder, why: whyUnreadable(error, folder) })
    return []
  }
}

function readEntry(root: string, path: string): Entry | string {
  let found: BigIntStats
  try {
    found = lstatSync(join(root, path), { bigint: true })
  } catch (error) {
    return whyUnreadable(error, path)
  }
  const kind = kindOf(found)
  if (kind === undefined) return whatItIs(found)
  const facts = {
    path,
    kind,
    mode: Number(found.mode & 0o777n),
    size: Number(found.size),
    modified: found.mtimeNs,
    changed: found.ctimeNs,
    stamp: stampOf(found),
  }
  return kind === 'link' ? readLink(root, { ...facts, mode: 0o777 }) : facts
}

export const stampOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string => `${ino}:${size}:${mtimeNs}:${ctimeNs}`

function kindOf(found: BigIntStats): Entry['kind'] | undefined {
  if (found.isFile()) return 'file'
  if (found.isDirectory()) return 'folder'
  return found.isSymbolicLink() ? 'link' : undefined
}

function whatItIs(found: BigIntStats): string {
  if (found.isFIFO()) return 'it is a named pipe'
  return found.isSocket() ? 'it is a socket' : 'it is a device'
}

function readLink(root: string, entry: Entry): Entry | string {
  const bytes = readlinkSync(join(root, entry.path), { encoding: 'buffer' })
  const target = bytes.toString('utf8')
  if (!Buffer.from(target).equals(bytes)) return 'it is a link to a name that is not UTF-8'
  return leadsOutside(root, entry.path, target) ? 'it is a link that leads out of the tree' : { ...entry, target }
}

/** By its words, and by where it ends today, which other links may decide. */
function leadsOutside(root: string, path: string, target: string): boolean {
  const end = normalize(join(dirname(path), target))
  if (isAbsolute(target) || end === '..' || end.startsWith('../')) return true
  try {
    const real = realpathSync(join(root, path))
    return real !== root && !real.startsWith(`${root}/`)
  } catch {
    return false // It leads nowhere, or round in circles.
  }
}

function whyUnreadable(error: unknown, path: string): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return UNREADABLE
  if (code === 'ENOENT') return 'it vanished while the tree was read'
  if (code === 'ENAMETOOLONG') throw tooDeep(path)
  throw new TaoError('workspace', `${path || 'The tree'} cannot be read: ${message}`, { cause: error })
}

export const tooDeep = (path: string): TaoError =>
  new TaoError(
    'workspace',
    `Folders are nested too deeply to be handled: ${path.slice(0, 60)}… (${path.length} characters)`,
    {
      fix: 'Remove the nested folders, or choose a workspace that does not have them.',
    },
  )

const tooMany = (root: string): TaoError =>
  new TaoError('workspace', `${root} has more than ${MOST_ENTRIES} entries, too many for a working copy.`, {
    fix: 'Choose a smaller folder as the workspace.',
  })
