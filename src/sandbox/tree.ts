import { isUtf8 } from 'node:buffer'
import { type BigIntStats, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { TaoError } from '../core/error.ts'
import { nameText } from './byte-name.ts'
import { type OpenFolder, openFolder } from './open-folder.ts'
import { pace, type Turn } from './pace.ts'

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
export const EXCHANGED = 'it was exchanged while the tree was read'
const MOST_ENTRIES = 500_000

/**
 * Lists a tree. What cannot be copied faithfully or safely is left out with a reason; what this user may not read is an
 * error instead where `unreadable` says so. Each folder is looked at from the open folder itself, so that no link made
 * meanwhile leads out. `root` must be a real path. Rejects with a `TaoError`, and with the signal's reason.
 */
export async function listTree(
  root: string,
  unreadable: 'skip' | 'refuse' = 'skip',
  signal?: AbortSignal,
): Promise<Listing> {
  const found: Found = { root, entries: [], skipped: [] }
  const { entries, skipped } = found
  const turn = pace(signal)
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const below of await readFolder(found, folder, turn)) folders.push(below)
  }
  const closed = skipped.find(({ why }) => why === UNREADABLE)
  if (closed !== undefined && unreadable === 'refuse')
    throw new TaoError('workspace', `${closed.path}: ${UNREADABLE}.`, {
      fix: `Open it with: chmod u+rwx ${join(root, closed.path)}`,
    })
  return { entries: entries.sort(byPath), skipped: skipped.sort(byPath) }
}

interface Found {
  readonly root: string
  readonly entries: Entry[]
  readonly skipped: Skipped[]
}

export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0

/** Looks at all entries of one folder from the open folder itself. Gives the folders in it. */
async function readFolder(found: Found, folder: string, turn: Turn): Promise<string[]> {
  const { root, entries, skipped } = found
  const below: string[] = []
  const opened = tryOpen(found, folder)
  if (opened === undefined) return below
  using open = opened.open
  for (const name of opened.names) {
    const text = nameText(name)
    const path = folder === '' ? text : `${folder}/${text}`
    const entry = isUtf8(name) ? readEntry({ root, open, name: text, path }) : 'its name is not UTF-8'
    if (typeof entry === 'string') skipped.push({ path, why: entry })
    else entries.push(entry)
    if (typeof entry !== 'string' && entry.kind === 'folder') below.push(path)
    if (entries.length > MOST_ENTRIES) throw tooMany(root)
    const pause = turn()
    if (pause !== undefined) await pause
  }
  return below
}

function tryOpen({ root, skipped }: Found, folder: string): { open: OpenFolder; names: Buffer[] } | undefined {
  try {
    const open = openFolder(folder === '' ? root : `${root}/${folder}`)
    return { open, names: readdirSync(open.self, 'buffer') }
  } catch (error) {
    skipped.push({ path: folder, why: whyUnreadable(error, folder) })
    return undefined
  }
}

interface Named {
  readonly root: string
  readonly open: OpenFolder
  readonly name: string
  readonly path: string
}

function readEntry(named: Named): Entry | string {
  const { open, name, path } = named
  let found: BigIntStats
  try {
    found = lstatSync(open.at(name), { bigint: true })
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
  return kind === 'link' ? readLink(named, { ...facts, mode: 0o777 }) : facts
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

function readLink({ root, open, name }: Named, entry: Entry): Entry | string {
  let bytes: Buffer
  try {
    bytes = readlinkSync(open.at(name), { encoding: 'buffer' })
  } catch (error) {
    return whyUnreadable(error, entry.path)
  }
  if (!isUtf8(bytes)) return 'it is a link to a name that is not UTF-8'
  const target = bytes.toString()
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
  if (error instanceof TaoError) return EXCHANGED
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return UNREADABLE
  if (code === 'ENOENT') return 'it vanished while the tree was read'
  // Another kind of entry stands there than a moment ago.
  if (code === 'ENOTDIR' || code === 'ELOOP' || code === 'EINVAL') return EXCHANGED
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
