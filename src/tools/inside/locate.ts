import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { errorCode, explain, Problem } from './problem.ts'

/** A path the model wrote, found inside the workspace. */
export interface Located {
  /** Absolute, without links. */
  readonly absolute: string
  /** Relative to the workspace, with slashes; `.` for the workspace itself. */
  readonly path: string
  readonly exists: boolean
}

/**
 * Finds the place a path means. The check is made on the path without links, up to the deepest part that exists: a link
 * that leads out of the workspace, or to something that does not exist, is refused. Throws a `Problem`.
 */
export function locate(root: string, written: string): Located {
  if (written === '') throw new Problem('The path is empty. Write a path relative to the workspace.')
  if (written.includes('\0')) throw new Problem('The path contains a NUL character, which no file name can have.')
  const realRoot = realpathSync(root)
  const lexical = resolve(root, written)
  refuseOutside(written, root, lexical)
  const { real, missing } = realPart(lexical, written)
  refuseOutside(written, realRoot, real)
  const absolute = join(real, missing)
  return { absolute, path: relative(realRoot, absolute) || '.', exists: missing === '' }
}

function refuseOutside(written: string, root: string, absolute: string): void {
  const inside = relative(root, absolute)
  if (inside !== '..' && !inside.startsWith('../') && !isAbsolute(inside)) return
  throw new Problem(`"${written}" is outside the workspace. Use a path below ${root}, or a relative one.`)
}

/** The deepest part of the path that exists, without links, and what is missing below it. */
function realPart(lexical: string, written: string): { readonly real: string; readonly missing: string } {
  for (let part = lexical, missing = ''; ; missing = join(basename(part), missing), part = dirname(part)) {
    try {
      return { real: realpathSync(part), missing }
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw explain(error, written)
      refuseDangling(part, written)
    }
  }
}

function refuseDangling(path: string, written: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink() !== true) return
  throw new Problem(`"${written}" is a link to "${readlinkSync(path)}", which does not exist here.`)
}
