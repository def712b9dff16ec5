import { isAbsolute } from 'node:path'
import { TaoError } from '../core/error.ts'
import { ignoring } from '../sandbox/ignore.ts'
import { lookInside } from '../sandbox/safe-file.ts'
import type { Workspace } from '../sandbox/workspace.ts'

/**
 * A path of a criterion, without `./` and closing slashes; empty for the workspace itself. Throws a `TaoError` for one
 * that lies elsewhere.
 */
export function deliveredPath(written: string): string {
  const parts = written.split('/').filter((part) => part !== '' && part !== '.')
  if (written === '' || isAbsolute(written) || parts.includes('..') || written.includes('\0'))
    throw new TaoError('criterion', `The path "${written}" of a criterion is not in the workspace.`, {
      fix: 'Write it relative to the workspace, without "..".',
    })
  return parts.join('/')
}

/** Ignored names are not delivered, and nobody watches them: nothing can be proved about them. */
export const isDelivered = (path: string, workspace: Workspace): boolean => !ignoring(workspace.record.ignore)(path)

export const isAtOrBelow = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`)

/** True for anything of that name, links included. Throws where it cannot be told: that is no proof of absence. */
export const isThere = (path: string, workspace: Workspace): boolean =>
  path === '' || lookInside(workspace.view.copy, path) !== undefined
