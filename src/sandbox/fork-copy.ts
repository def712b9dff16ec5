import { chmodSync, chownSync, constants, copyFileSync, lstatSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TaoError } from '../core/error.ts'
import type { WorkspaceRecord } from '../core/workspace-record.ts'
import type { Owner } from './copy-file.ts'
import { copyTree } from './copy-tree.ts'
import { ignoring } from './ignore.ts'
import { type Base, saveBase, textsFile } from './manifest.ts'
import { makePlace } from './place.ts'
import { putEntry } from './put-entry.ts'
import { removeTree } from './remove-tree.ts'
import { hasher, type State, sameState, stateOf } from './snapshot.ts'
import { startContent } from './start-content.ts'
import { byPath, type Entry, listTree } from './tree.ts'
import { sandboxUser } from './user.ts'
import { foldersAbove } from './view.ts'
import { openWorkspace } from './working-copy.ts'
import type { Difference } from './workspace.ts'
import { asWorkingCopy, type WorkingCopy } from './workspace-of.ts'

export interface ForkCopyOptions {
  /** The working copy it is made from. It is read, never written. */
  readonly from: WorkspaceRecord
  /** A folder that is made for the new one and must not hold anything yet. */
  readonly place: string
  /** What is to stand at each path that differs from the tree the run started with; undefined for nothing. */
  readonly files: ReadonlyMap<string, Difference>
  /** Gives the content of one of these files. Rejects with a `TaoError` that says why it cannot be had. */
  readonly read: (path: string) => Promise<Uint8Array>
}

/**
 * A working copy as another one was at an earlier time. What has not changed since is copied from there, the rest is made of
 * kept contents. Names that are not delivered, such as version control's own, are as they are now. Rejects with a `TaoError`;
 * then it leaves nothing behind.
 */
export async function forkWorkspace(options: ForkCopyOptions): Promise<WorkspaceRecord> {
  const from = asWorkingCopy(await openWorkspace(options.from))
  const user = sandboxUser()
  const place = makePlace(options.place, from.record.source, user)
  try {
    const copy = join(place, 'copy')
    mkdirSync(copy, 0o700)
    const owner = user.dropped ? { uid: user.uid, gid: user.gid } : undefined
    const seen = await fill({ ...options, source: from, copy, owner })
    copyFileSync(textsFile(from.record.copy), textsFile(copy), constants.COPYFILE_FICLONE)
    saveBase(copy, { ...from.base, seen })
    if (owner !== undefined) chownSync(copy, owner.uid, owner.gid)
    chmodSync(copy, lstatSync(from.record.copy).mode & 0o777)
    return { ...from.record, copy }
  } catch (error) {
    await removeTree(place).catch(() => {}) // What went wrong first is what counts.
    throw error
  }
}

interface Filling extends ForkCopyOptions {
  readonly source: WorkingCopy
  readonly copy: string
  readonly owner: Owner | undefined
}

/** Gives the hashes of the new files that are as they were at the start. */
async function fill(filling: Filling): Promise<Base['seen']> {
  const { source, files, copy, owner, read } = filling
  const { base, record } = source
  const isIgnored = ignoring(record.ignore)
  const wanted = statesThen(source, files, isIgnored)
  const kept = await unchangedEntries(source, wanted, isIgnored)
  const { hashes, skipped } = await copyTree({
    ...{ from: record.copy, to: copy, entries: kept, hashed: (path: string) => !isIgnored(path) },
    ...(owner === undefined ? {} : { owner }),
  })
  const [lost] = skipped
  if (lost !== undefined) throw new TaoError('workspace', `${lost.path} could not be copied: ${lost.why}`)
  const moved = kept.find(
    ({ path, kind }) => kind === 'file' && !isIgnored(path) && hashes.get(path)?.hash !== wanted.get(path)?.content,
  )
  if (moved !== undefined)
    throw new TaoError('workspace', `${moved.path} was changed while it was copied.`, {
      fix: 'Wait until the run that works on it has ended or rests.',
    })
  const placed = new Set(kept.map(({ path }) => path))
  const missing = [...wanted].map(([path, state]) => ({ path, state })).filter(({ path }) => !placed.has(path))
  for (const { path, state } of missing.sort(byPath)) {
    const content =
      state.kind !== 'file' ? undefined : files.has(path) ? await read(path) : startContent(source, path, state)
    putEntry(join(copy, path), { state, owner, ...(content === undefined ? {} : { content }) })
  }
  return new Map([...hashes].filter(([path, { hash }]) => base.states.get(path)?.content === hash))
}

/** Every path of the tree at that time with the folders above it; what is not delivered is not among them. */
function statesThen(
  { base }: WorkingCopy,
  files: ForkCopyOptions['files'],
  isIgnored: (path: string) => boolean,
): Map<string, State> {
  const states = new Map([...base.states].filter(([path]) => !isIgnored(path)))
  for (const [path, state] of files) {
    if (state === undefined) states.delete(path)
    else states.set(path, state)
  }
  for (const folder of [...files.keys()].filter((path) => states.has(path)).flatMap(foldersAbove))
    if (!states.has(folder)) states.set(folder, { kind: 'folder', mode: 0o755, content: '' })
  return states
}

/** What stands in the working copy now as it did then. */
async function unchangedEntries(
  { record, base }: WorkingCopy,
  wanted: ReadonlyMap<string, State>,
  isIgnored: (path: string) => boolean,
): Promise<Entry[]> {
  const hashes = hasher(record.copy, base.seen)
  const isKept = async (entry: Entry): Promise<boolean> => {
    const state = wanted.get(entry.path)
    if (isIgnored(entry.path)) return true
    if (entry.kind === 'folder') return state?.kind === 'folder'
    return sameState(state, stateOf(entry, await hashes.content(entry)))
  }
  const kept: Entry[] = []
  const folders = new Set(['.'])
  for (const entry of (await listTree(record.copy, 'refuse')).entries) {
    if (!folders.has(dirname(entry.path)) || !(await isKept(entry))) continue
    kept.push(entry)
    if (entry.kind === 'folder') folders.add(entry.path)
  }
  return kept
}
