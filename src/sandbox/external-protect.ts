import { type BigIntStats, lchownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SandboxError, type View } from './sandbox.ts'
import type { SandboxUser } from './user.ts'
import { mountedView } from './view.ts'

/** Protected paths of one view, as they were when it was first used. */
export interface ProtectedPaths {
  /** Throws a `SandboxError` when anything about them is not as it was. */
  expectUntouched(): void
}

/**
 * Without namespaces nobody can be kept from renaming a folder of his own. So what is protected is given to root where Tao is
 * root, which stops plain writing, and looked at before and after each command, which notices everything else. Rejects with a
 * `SandboxError` for a view that cannot be used.
 */
export async function protectedPaths(view: View, user: SandboxUser): Promise<ProtectedPaths> {
  const { copy, protect, pins, wholeReadOnly } = await mountedView(view)
  const roots = wholeReadOnly ? [''] : protect
  if (user.dropped) for (const root of roots) for (const path of pathsBelow(copy, root)) giveToRoot(join(copy, path))
  const state = (): Map<string, string> =>
    new Map([
      // Of the folders above only which ones they are: what else lies in them may change.
      ...pins.map((path) => [path, look(join(copy, path), ({ dev, ino }) => `${dev}:${ino}`)] as const),
      ...roots.flatMap((root) => pathsBelow(copy, root).map((path) => [path, look(join(copy, path), whole)] as const)),
    ])
  const before = state()
  return {
    expectUntouched() {
      const now = state()
      const touched = [...new Set([...before.keys(), ...now.keys()])].filter(
        (path) => before.get(path) !== now.get(path),
      )
      if (touched.length === 0) return
      throw new SandboxError(
        `A command changed what is protected: ${touched.slice(0, 5).join(', ')}`,
        'The external sandbox notices that and cannot prevent it. Start the run again, or run Tao where bubblewrap works.',
      )
    },
  }
}

/** What others may not read stays the user's own: it must still be readable. */
function giveToRoot(path: string): void {
  const found = lstatSync(path)
  const needed = found.isDirectory() ? 0o005 : 0o004
  if ((found.mode & needed) === needed) lchownSync(path, 0, 0)
}

const whole = ({ dev, ino, mode, uid, nlink, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, mode, uid, nlink, size, mtimeNs, ctimeNs].join(':')

function look(path: string, say: (found: BigIntStats) => string): string {
  try {
    return say(lstatSync(path, { bigint: true }))
  } catch {
    return 'gone'
  }
}

/** The path itself and all below it, relative to the copy. Links are not followed. */
function pathsBelow(copy: string, root: string): string[] {
  const paths = [root]
  for (const path of paths) {
    const found = lstatSync(join(copy, path), { throwIfNoEntry: false })
    if (found?.isDirectory())
      paths.push(...readdirSync(join(copy, path)).map((name) => (path === '' ? name : `${path}/${name}`)))
  }
  return paths
}
