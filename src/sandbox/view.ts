import { lstatSync, type Stats } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { MountedView } from './profile.ts'
import { SandboxError, type View } from './sandbox.ts'

/**
 * Looks at what is about to be mounted. Mounting follows links, so a link at a protected path or above it is refused.
 * Rejects with a `SandboxError`.
 */
export async function mountedView(view: View): Promise<MountedView> {
  if (!isAbsolute(view.copy)) throw new SandboxError(`The working copy must be an absolute path: ${view.copy}`)
  expectKind(view.copy, 'folder')
  const wanted = view.protect.map(relativePath)
  if (wanted.includes('')) return { copy: view.copy, wholeReadOnly: true, pins: [], protect: [] }
  const protect = outermost(wanted)
  const pins = [...new Set(protect.flatMap(foldersAbove))].sort()
  for (const path of pins) expectKind(`${view.copy}/${path}`, 'folder')
  for (const path of protect) expectKind(`${view.copy}/${path}`, 'any')
  return { copy: view.copy, wholeReadOnly: false, pins, protect }
}

/** Without `./`, doubled and closing slashes; the empty string is the tree itself. Throws on a way out of the tree. */
export function relativePath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (isAbsolute(path) || parts.includes('..') || path.includes('\0'))
    throw new SandboxError(
      `A protected path must lie in the workspace: ${path}`,
      'Write it relative to the workspace, without "..".',
    )
  return parts.join('/')
}

/** Leaves out what lies below another path of the list; sorted. */
export function outermost(paths: readonly string[]): string[] {
  const all = new Set(paths)
  return [...all].filter((path) => !foldersAbove(path).some((folder) => all.has(folder))).sort()
}

/** `a/b/c` → `a`, `a/b`. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
}

function expectKind(path: string, kind: 'folder' | 'any'): void {
  const found = look(path)
  if (found === undefined)
    throw new SandboxError(`${path} is not there any more.`, 'Start the run again: it gets a new working copy.')
  if (found.isSymbolicLink()) throw new SandboxError(`${path} is a link; links are not mounted.`)
  if (kind === 'folder' ? !found.isDirectory() : !found.isDirectory() && !found.isFile())
    throw new SandboxError(`${path} is not a ${kind === 'folder' ? 'folder' : 'file or folder'}.`)
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
