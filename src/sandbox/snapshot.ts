import { hashInside } from './safe-file.ts'
import type { Entry } from './tree.ts'

/** What an entry is, as far as delivering it goes. */
export interface State {
  readonly kind: Entry['kind']
  readonly mode: number
  /** SHA-256 of a file, target of a link, empty for a folder or where nobody needs to know. */
  readonly content: string
}

export const sameState = (a: State | undefined, b: State | undefined): boolean =>
  a?.kind === b?.kind && a?.mode === b?.mode && a?.content === b?.content

export const stateOf = (entry: Entry, content: string): State => ({ kind: entry.kind, mode: entry.mode, content })

/** Hashes files of one tree and remembers what it has seen. */
export interface Hasher {
  content(entry: Entry): Promise<string>
}

/** A file system may give two changes that follow closely the same time: a hash this young could miss the second one. */
const SETTLED = 50_000_000n

/** A content, and the stamp that the file had with it. */
export interface Hashed {
  readonly stamp: string
  readonly hash: string
}

/**
 * A remembered hash counts while the file's inode, size and times are the same. The time of the last change is among
 * them, which no program can set back. `seen`: hashes made when nobody else could write yet.
 */
export function hasher(root: string, seen: ReadonlyMap<string, Hashed> = new Map()): Hasher {
  const known = new Map(seen)
  return {
    async content(entry) {
      if (entry.kind !== 'file') return entry.target ?? ''
      const before = known.get(entry.path)
      if (before?.stamp === entry.stamp) return before.hash
      const lookedAt = BigInt(Date.now()) * 1_000_000n
      const hash = await hashInside(root, entry.path)
      if (entry.changed + SETTLED < lookedAt) known.set(entry.path, { stamp: entry.stamp, hash })
      return hash
    },
  }
}
