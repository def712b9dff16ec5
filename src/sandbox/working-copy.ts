import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TaoError } from '../core/error.ts'
import type { WorkspaceRecord } from '../core/workspace-record.ts'
import { type CopyOptions, copyTree } from './copy-tree.ts'
import { DEFAULT_IGNORE, ignoring } from './ignore.ts'
import { isInUseElsewhere, markInUse } from './in-use.ts'
import { type Base, loadBase, type Manifest, saveBase, textsFile } from './manifest.ts'
import { OldTexts } from './old-texts.ts'
import { makePlace } from './place.ts'
import { removeTree } from './remove-tree.ts'
import { type Hashed, type State, stateOf } from './snapshot.ts'
import { expectProtected, expectSource } from './source.ts'
import { type Entry, type Listing, listTree, type Skipped } from './tree.ts'
import { sandboxUser } from './user.ts'
import { outermost } from './view.ts'
import type { Workspace } from './workspace.ts'
import { workspaceOf } from './workspace-of.ts'

export interface WorkspaceOptions {
  /** The tree to work on. It is read, never written. */
  readonly source: string
  /** A folder that is made for this working copy and must not hold anything yet. */
  readonly place: string
  /** Paths in the tree that no command may change. They must exist and not be links. */
  readonly protect: readonly string[]
  /** Names that are copied, but neither count as changes nor are delivered. Default: `DEFAULT_IGNORE`. */
  readonly ignore?: readonly string[]
  readonly signal?: AbortSignal
}

/** Git runs what stands here; nobody but the user may put something in. */
const GIT_FOLDER = '.git/hooks'
const GIT_FILE = '.git/config'

/**
 * Copies a tree for a run. Named pipes, sockets, devices, links that lead out, what cannot be read and names that are not
 * UTF-8 are left out and listed in the record. Rejects with a `TaoError`, and with the signal's reason; then it leaves
 * nothing behind.
 */
export async function makeWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { signal } = options
  signal?.throwIfAborted()
  const source = expectSource(options.source)
  const wanted = expectProtected(source, options.protect)
  const user = sandboxUser()
  const place = makePlace(options.place, source, user)
  try {
    markInUse(place)
    const copy = join(place, 'copy')
    mkdirSync(copy, 0o700)
    const listing = withoutGitLinks(await listTree(source, 'skip', signal))
    const ignore = [...(options.ignore ?? DEFAULT_IGNORE)]
    const protect = protectedPaths(hasGitFolder(listing), wanted)
    const owner = user.dropped ? { uid: user.uid, gid: user.gid } : undefined
    const { base, skipped } = await fillCopy({ source, copy, listing, ignore, protect, owner, signal })
    finishRoot(source, copy, owner)
    saveBase(copy, base)
    return workspaceOf({ source, copy, protect, ignore, skipped }, base)
  } catch (error) {
    await removeTree(place).catch(() => {}) // What went wrong first is what counts.
    throw error
  }
}

interface Filling {
  readonly source: string
  readonly copy: string
  readonly listing: Listing
  readonly ignore: readonly string[]
  readonly protect: readonly string[]
  readonly owner: CopyOptions['owner']
  readonly signal: AbortSignal | undefined
}

async function fillCopy(filling: Filling): Promise<{ base: Base; skipped: Skipped[] }> {
  const { source, copy, listing, protect, owner, signal } = filling
  const { entries } = listing
  const isIgnored = ignoring(filling.ignore)
  const hashed = (path: string) => !isIgnored(path) || isBelow(path, protect)
  using texts = new OldTexts(textsFile(copy))
  const copied = await copyTree({
    from: source,
    to: copy,
    entries,
    hashed,
    keep: (path, hash, bytes) => texts.keep(path, hash, bytes),
    ...(owner === undefined ? {} : { owner }),
    ...(signal === undefined ? {} : { signal }),
  })
  texts.flush()
  const skipped = [...listing.skipped, ...copied.skipped]
  const states = new Map([...statesOf(entries, copied.hashes, skipped), ...addStandIns(copy, protect, owner)])
  return { base: { states, seen: copied.hashes, texts: texts.index }, skipped }
}

/** The working copy of an earlier run. Rejects with a `TaoError` when it is not there any more. */
export async function openWorkspace(record: WorkspaceRecord): Promise<Workspace> {
  if (!existsSync(record.copy))
    throw new TaoError('workspace', `The working copy ${record.copy} is not there any more.`, {
      fix: 'It was removed, perhaps by: tao clean. Run the task again: it gets a new one.',
    })
  return workspaceOf({ ...record, copy: realpathSync(record.copy) }, loadBase(record.copy))
}

/** The working copy of a run that goes on in this process. Rejects with a `TaoError` when another process works on it. */
export async function reopenWorkspace(record: WorkspaceRecord): Promise<Workspace> {
  const workspace = await openWorkspace(record)
  const place = dirname(workspace.record.copy)
  if (isInUseElsewhere(place))
    throw new TaoError('workspace', `Another process works on ${record.copy}.`, {
      fix: 'Wait until it has ended, or end it.',
    })
  markInUse(place)
  return workspace
}

const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => folder === '' || path === folder || path.startsWith(`${folder}/`))

/** A link where git's hooks or settings stand cannot be protected; an empty stand-in takes its place. */
function withoutGitLinks({ entries, skipped }: Listing): Listing {
  const isGitLink = ({ path, kind }: Entry) => kind === 'link' && (path === GIT_FOLDER || path === GIT_FILE)
  const links = entries.filter(isGitLink)
  if (links.length === 0) return { entries, skipped }
  const why = 'it is a link where programs of git are looked for'
  return {
    entries: entries.filter((entry) => !isGitLink(entry)),
    skipped: [...skipped, ...links.map(({ path }) => ({ path, why }))],
  }
}

/**
 * The paths that a working copy of this tree would protect; nothing is copied. Throws a `TaoError` for a tree or a path that
 * cannot be used.
 */
export function foreseeProtected(tree: string, protect: readonly string[]): string[] {
  const source = expectSource(tree)
  const hasGit = lstatSync(join(source, '.git'), { throwIfNoEntry: false })?.isDirectory() === true
  return protectedPaths(hasGit, expectProtected(source, protect))
}

const hasGitFolder = ({ entries }: Listing): boolean =>
  entries.some(({ path, kind }) => path === '.git' && kind === 'folder')

function protectedPaths(hasGit: boolean, wanted: readonly string[]): string[] {
  const all = hasGit ? [...wanted, GIT_FOLDER, GIT_FILE] : wanted
  return all.includes('') ? [''] : outermost(all)
}

/** What does not exist cannot be mounted, and could be made by a command. */
function addStandIns(copy: string, protect: readonly string[], owner: CopyOptions['owner']): [string, State][] {
  return [GIT_FOLDER, GIT_FILE]
    .filter((path) => protect.includes(path) && lstatSync(join(copy, path), { throwIfNoEntry: false }) === undefined)
    .map((path) => {
      const target = join(copy, path)
      if (path === GIT_FOLDER) mkdirSync(target)
      else writeFileSync(target, '')
      chmodSync(target, standIn(path).mode)
      if (owner !== undefined) chownSync(target, owner.uid, owner.gid)
      return [path, standIn(path)]
    })
}

const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const standIn = (path: string): State =>
  path === GIT_FOLDER
    ? { kind: 'folder', mode: 0o755, content: '' }
    : { kind: 'file', mode: 0o644, content: EMPTY_HASH }

function statesOf(
  entries: readonly Entry[],
  hashes: ReadonlyMap<string, Hashed>,
  skipped: readonly { readonly path: string }[],
): Manifest {
  const left = new Set(skipped.map(({ path }) => path))
  return new Map(
    entries
      .filter(({ path }) => !left.has(path))
      .map((entry) => [entry.path, stateOf(entry, entry.target ?? hashes.get(entry.path)?.hash ?? '')]),
  )
}

function finishRoot(source: string, copy: string, owner: CopyOptions['owner']): void {
  if (owner !== undefined) chownSync(copy, owner.uid, owner.gid)
  // The owner must always be able to work in it, whatever the source allows.
  chmodSync(copy, (lstatSync(source).mode & 0o777) | 0o700)
}
