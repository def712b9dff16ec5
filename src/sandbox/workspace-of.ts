import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, chownSync, fstatSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TaoError } from '../core/error.ts'
import type { WorkspaceRecord } from '../core/workspace-record.ts'
import { copyTree } from './copy-tree.ts'
import { ignoring } from './ignore.ts'
import type { Base, Manifest } from './manifest.ts'
import { removeTree } from './remove-tree.ts'
import { closing, openInside } from './safe-file.ts'
import { type Hasher, hasher, type State, sameState, stateOf } from './snapshot.ts'
import { byPath, type Entry, listTree } from './tree.ts'
import { sandboxUser } from './user.ts'
import { foldersAbove } from './view.ts'
import type { Change, CleanCopy, Workspace } from './workspace.ts'

/** What applying a working copy needs to know beyond the contract. */
export interface WorkingCopy extends Workspace {
  readonly base: Base
  delivery(): Promise<Delivered>
}

export interface Delivered {
  /** All files and links that would be delivered, by path. */
  readonly states: ReadonlyMap<string, State>
  /** Modes of all folders, by path. */
  readonly folders: ReadonlyMap<string, number>
  /** What of them differs from the base. */
  readonly changes: readonly Change[]
}

/** `base` is what the tree was like at the start. The record's paths must be real ones. */
export function workspaceOf(record: WorkspaceRecord, base: Base): WorkingCopy {
  const isIgnored = ignoring(record.ignore)
  const hashes = hasher(record.copy, base.seen)
  let delivered: Manifest | undefined
  const isDelivered = ({ kind }: Pick<State, 'kind'>, path: string) => kind !== 'folder' && !isIgnored(path)
  const view = { copy: record.copy, protect: record.protect }

  async function delivery(): Promise<Delivered> {
    const { entries } = await listTree(record.copy, 'refuse')
    const wanted = entries.filter((entry) => isDelivered(entry, entry.path))
    const states = await statesOf(wanted, hashes)
    delivered ??= new Map([...base.states].filter(([path, state]) => isDelivered(state, path)))
    const folders = entries.filter(({ kind }) => kind === 'folder').map(({ path, mode }) => [path, mode] as const)
    return { states, folders: new Map(folders), changes: compare(delivered, states) }
  }
  return {
    record,
    view,
    base,
    delivery,
    changes: async () => (await delivery()).changes,
    async differences() {
      const { states, changes } = await delivery()
      return new Map(changes.map(({ path }) => [path, states.get(path)]))
    },
    read: async (path, most) =>
      closing(openInside(record.copy, path), (descriptor) =>
        fstatSync(descriptor).size > most ? undefined : readFileSync(descriptor),
      ),
    async leftOut() {
      const { skipped } = await listTree(record.copy, 'refuse')
      return skipped.filter(({ path }) => !isIgnored(path))
    },
    async treeHash() {
      const hash = createHash('sha256')
      for (const [path, { kind, mode, content }] of (await delivery()).states)
        hash.update(`${kind} ${mode.toString(8)} ${content} ${path}\0`)
      return hash.digest('hex')
    },
    async disturbed() {
      const isProtected = (path: string) =>
        record.protect.some((folder) => folder === '' || path === folder || path.startsWith(`${folder}/`))
      const { entries, skipped } = await listTree(record.copy, 'refuse')
      const now = await statesOf(
        entries.filter(({ path }) => isProtected(path)),
        hashes,
      )
      const before = new Map([...base.states].filter(([path]) => isProtected(path)))
      const strange = skipped.filter(({ path }) => isProtected(path)).map(({ path }) => path)
      return [...new Set([...compare(before, now).map(({ path }) => path), ...strange])].sort()
    },
    cleanCopy: () => makeCleanCopy(record, base.states, isIgnored),
  }
}

async function statesOf(entries: readonly Entry[], hashes: Hasher): Promise<Map<string, State>> {
  const states = new Map<string, State>()
  for (const entry of entries) states.set(entry.path, stateOf(entry, await hashes.content(entry)))
  return states
}

function compare(before: Manifest, now: Manifest): Change[] {
  const changes: Change[] = []
  for (const [path, state] of now) {
    const old = before.get(path)
    if (old === undefined) changes.push({ path, kind: 'added' })
    else if (!sameState(old, state)) changes.push({ path, kind: 'changed' })
  }
  for (const path of before.keys()) if (!now.has(path)) changes.push({ path, kind: 'removed' })
  return changes.sort(byPath)
}

async function makeCleanCopy(
  record: WorkspaceRecord,
  base: Manifest,
  isIgnored: (path: string) => boolean,
): Promise<CleanCopy> {
  const place = join(dirname(record.copy), `clean-${randomUUID()}`)
  const dispose = () => removeTree(place)
  try {
    const { entries } = await listTree(record.copy, 'refuse')
    const wanted = entries.filter(({ path, kind }) => kind !== 'folder' && !isIgnored(path))
    const above = new Set(wanted.flatMap(({ path }) => foldersAbove(path)))
    const isWanted = ({ path, kind }: Entry) =>
      !isIgnored(path) && (kind !== 'folder' || above.has(path) || base.get(path)?.kind === 'folder')
    const kept = entries.filter(isWanted)
    const copy = join(place, 'copy')
    mkdirSync(place, { mode: 0o711 })
    chmodSync(place, 0o711)
    mkdirSync(copy, { mode: 0o700 })
    const user = sandboxUser()
    const owner = user.dropped ? { owner: { uid: user.uid, gid: user.gid } } : {}
    const { skipped } = await copyTree({ from: record.copy, to: copy, entries: kept, hashed: () => false, ...owner })
    if (skipped[0] !== undefined)
      throw new TaoError('workspace', `${skipped[0].path} could not be copied: ${skipped[0].why}`)
    if (user.dropped) chownSync(copy, user.uid, user.gid) // Last: until here nobody else could write.
    const paths = new Set(kept.map(({ path }) => path))
    const protect = record.protect.filter((path) => path === '' || paths.has(path))
    return { view: { copy, protect }, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose().catch(() => {})
    throw error
  }
}

/** Throws when it was made by somebody else. */
export function asWorkingCopy(workspace: Workspace): WorkingCopy {
  if ('base' in workspace && 'delivery' in workspace) return workspace as WorkingCopy
  throw new TaoError('workspace', 'This workspace was not made by makeWorkspace or openWorkspace.')
}
