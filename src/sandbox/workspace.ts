import type { WorkspaceRecord } from '../core/workspace-record.ts'
import type { View } from './sandbox.ts'
import type { State } from './snapshot.ts'

/** The working copy of somebody's tree. Everything that tools change, they change here. */
export interface Workspace {
  readonly record: WorkspaceRecord
  readonly view: View
  /** What differs from the tree the run started with; ignored names left out, sorted by path. */
  changes(): Promise<readonly Change[]>
  /** What stands now at each path that differs from the tree the run started with; undefined for nothing. Otherwise as `changes`. */
  differences(): Promise<ReadonlyMap<string, Difference>>
  /** The content of a file; undefined when it has more bytes than `most`. Rejects with a `TaoError` for what is no file of it. */
  read(path: string, most: number): Promise<Buffer | undefined>
  /** What stands in the working copy and cannot be delivered, with why: pipes, links that lead out, names not in UTF-8. */
  leftOut(): Promise<readonly LeftOut[]>
  /** SHA-256 over all paths, modes and contents that would be delivered. */
  treeHash(): Promise<string>
  /** Protected paths that are no longer as they were. Empty when all is well. */
  disturbed(): Promise<readonly string[]>
  /** A second copy of exactly what would be delivered, without ignored names; disposed by the caller. */
  cleanCopy(): Promise<CleanCopy>
}

/** What a file or link is now; undefined where nothing stands any more. */
export type Difference = State | undefined

export interface CleanCopy extends AsyncDisposable {
  readonly view: View
}

export interface LeftOut {
  /** Relative, with slashes; a byte that is no UTF-8 stands as `\\xff`. */
  readonly path: string
  readonly why: string
}

export interface Change {
  /** Relative, with slashes. */
  readonly path: string
  readonly kind: 'added' | 'changed' | 'removed'
}
