import { closeSync, fstatSync, readFileSync } from 'node:fs'
import { TaoError } from '../core/error.ts'
import { openInside } from '../sandbox/safe-file.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import type { Criterion, Finding } from './criterion.ts'
import { deliveredPath, isDelivered, isThere } from './delivered-path.ts'
import { type Pattern, readPattern } from './pattern.ts'

export interface FileOptions {
  /** Relative to the workspace. */
  readonly path: string
  /** False: nothing may be there. Default: true. */
  readonly exists?: boolean
  /** What it must contain: a plain text, or `/regular expression/`. */
  readonly matches?: string
}

/** Bytes of a file that is searched. */
const MOST_BYTES = 16 << 20

/**
 * Holds when a regular file is there, and contains what it must; or when nothing is there, for `exists: false`. Links are
 * not followed. Throws a `TaoError` for a path outside of the workspace and options that contradict each other.
 */
export function file(options: FileOptions): Criterion {
  const { exists = true, matches } = options
  const path = deliveredPath(options.path)
  if (path === '') throw new TaoError('criterion', 'A criterion "file" names the workspace itself.')
  if (!exists && matches !== undefined)
    throw new TaoError('criterion', `The file ${path} can not both be missing and match something.`)
  const pattern = matches === undefined ? undefined : readPattern(matches)
  const wish = exists ? (pattern === undefined ? '' : `, containing ${pattern.written}`) : ', not there'
  return {
    name: `file: ${path}${wish}`,
    early: true,
    check: async ({ workspace }) => {
      if (workspace === undefined) return no('The task has no workspace that could have files.')
      if (!isDelivered(path, workspace)) return no(`${path} is among the names that are ignored: it is not delivered.`)
      return exists ? checkContent(path, workspace, pattern) : checkMissing(path, workspace)
    },
  }
}

const no = (detail: string): Finding => ({ holds: false, detail })

function checkMissing(path: string, workspace: Workspace): Finding {
  return isThere(path, workspace) ? no(`${path} is there.`) : { holds: true, detail: `${path} is not there.` }
}

function checkContent(path: string, workspace: Workspace, pattern: Pattern | undefined): Finding {
  if (!isThere(path, workspace)) return no(`${path} is not there.`)
  const descriptor = openInside(workspace.view.copy, path)
  try {
    const { size } = fstatSync(descriptor)
    if (pattern === undefined) return { holds: true, detail: `${path} has ${size} bytes.` }
    if (size > MOST_BYTES) return no(`${path} has ${size} bytes; at most ${MOST_BYTES} are searched.`)
    const problem = pattern.problemIn(readFileSync(descriptor, 'utf8'))
    return problem === undefined ? { holds: true, detail: `${path} matches.` } : no(`${path} ${problem}.`)
  } finally {
    closeSync(descriptor)
  }
}
