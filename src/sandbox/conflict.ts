import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs'
import { hashInside } from './safe-file.ts'
import { type State, sameState } from './snapshot.ts'
import { listTree } from './tree.ts'
import { foldersAbove } from './view.ts'
import type { Change } from './workspace.ts'
import type { Delivered, WorkingCopy } from './workspace-of.ts'

export interface Comparison {
  /** Paths that are neither as they were at the start nor as they are to become. */
  readonly conflicts: readonly string[]
  /** What is still to be done; a change that stands already is left out, so that a broken apply can be repeated. */
  readonly open: readonly Change[]
}

/** Compares the tree as it is now with what it was when the run started. */
export async function compareWithSource(copy: WorkingCopy, { states, changes }: Delivered): Promise<Comparison> {
  const { source } = copy.record
  const removed = new Set(changes.filter(({ kind }) => kind === 'removed').map(({ path }) => path))
  const conflicts: string[] = []
  const open: Change[] = []
  for (const change of changes) {
    const { path } = change
    const [before, after] = [withoutFolder(copy.base.get(path)), states.get(path)]
    const now = isReachable(source, path, removed) ? await stateInSource(source, path, removed) : 'strange'
    if (now !== 'strange' && sameState(now, after)) continue
    if (now !== 'strange' && sameState(now, before)) open.push(change)
    else conflicts.push(path)
  }
  return { conflicts, open }
}

/** A folder that gives way to a file is looked at by its contents. */
const withoutFolder = (state: State | undefined): State | undefined => (state?.kind === 'folder' ? undefined : state)

/** False when the way there leads through a link, or through a file that is to stay. */
function isReachable(source: string, path: string, removed: ReadonlySet<string>): boolean {
  for (const folder of foldersAbove(path)) {
    const found = lstatSync(`${source}/${folder}`, { throwIfNoEntry: false })
    if (found === undefined) return true
    if (!found.isDirectory()) return removed.has(folder)
  }
  return true
}

async function stateInSource(
  source: string,
  path: string,
  removed: ReadonlySet<string>,
): Promise<State | undefined | 'strange'> {
  const found = lookAt(`${source}/${path}`)
  if (found === undefined) return undefined
  const mode = Number(found.mode & 0o777n)
  if (found.isSymbolicLink()) return { kind: 'link', mode: 0o777, content: readlinkSync(`${source}/${path}`) }
  if (found.isFile()) return { kind: 'file', mode, content: await hashInside(source, path) }
  if (!found.isDirectory()) return 'strange'
  const { entries, skipped } = await listTree(`${source}/${path}`)
  const stays = entries.filter(({ kind, path: below }) => kind !== 'folder' && !removed.has(`${path}/${below}`))
  return stays.length + skipped.length === 0 ? undefined : 'strange'
}

function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    // A file stands where the way leads through: it is one that gives way to a folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}
