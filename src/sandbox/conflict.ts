import { lstatSync, readlinkSync } from 'node:fs'
import type { PlannedChange } from './apply-record.ts'
import { hashInside } from './safe-file.ts'
import { type State, sameState } from './snapshot.ts'
import { listTree } from './tree.ts'
import { foldersAbove } from './view.ts'

type Wanted = Pick<PlannedChange, 'path' | 'kind' | 'before' | 'after'>

export interface Comparison<C> {
  /** Paths that are neither as they were at the start nor as they are to become. */
  readonly conflicts: readonly string[]
  /** What is still to be done; a change that stands already is left out, so that a broken apply can be repeated. */
  readonly open: readonly C[]
}

/** Compares a tree as it is now with what it was before changes and is to be after them; `all`, when these are a part. */
export async function compareWithSource<C extends Wanted>(
  source: string,
  changes: readonly C[],
  all: readonly Wanted[] = changes,
): Promise<Comparison<C>> {
  const changing = new Set(all.map(({ path }) => path))
  const conflicts: string[] = []
  const open: C[] = []
  for (const change of changes) {
    const { path } = change
    const now = await stateInSource(source, path, changing)
    if (now !== 'strange' && sameState(now, change.after ?? undefined)) continue
    if (now !== 'strange' && sameState(now, withoutFolder(change.before))) open.push(change)
    else conflicts.push(path)
  }
  return { conflicts, open }
}

/** A folder that gives way to a file is looked at by its contents. */
const withoutFolder = (state: State | null): State | undefined =>
  state === null || state.kind === 'folder' ? undefined : state

async function stateInSource(
  source: string,
  path: string,
  changing: ReadonlySet<string>,
): Promise<State | undefined | 'strange'> {
  const way = wayTo(source, path, changing)
  if (way !== 'free') return way === 'none' ? undefined : 'strange'
  const found = lstatSync(`${source}/${path}`, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) return undefined
  const mode = Number(found.mode & 0o777n)
  if (found.isSymbolicLink()) return { kind: 'link', mode: 0o777, content: readlinkSync(`${source}/${path}`) }
  if (found.isFile()) return { kind: 'file', mode, content: await hashInside(source, path) }
  if (!found.isDirectory()) return 'strange'
  const { entries, skipped } = await listTree(`${source}/${path}`)
  const stays = entries.filter(({ kind, path: below }) => kind !== 'folder' && !changing.has(`${path}/${below}`))
  return stays.length + skipped.length === 0 ? undefined : 'strange'
}

/**
 * `none`: it ends before the path. So it does at a file or link that changes itself, as when a file gives way to a folder;
 * at another one it is `strange`, and nothing is looked for behind it.
 */
function wayTo(source: string, path: string, changing: ReadonlySet<string>): 'free' | 'none' | 'strange' {
  for (const folder of foldersAbove(path)) {
    const found = lstatSync(`${source}/${folder}`, { throwIfNoEntry: false })
    if (found === undefined) return 'none'
    if (!found.isDirectory()) return changing.has(folder) ? 'none' : 'strange'
  }
  return 'free'
}
