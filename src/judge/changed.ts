import { TaoError } from '../core/error.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import type { Criterion, Finding } from './criterion.ts'
import { deliveredPath, isAtOrBelow } from './delivered-path.ts'

const MOST_SHOWN = 20

/**
 * Holds when nothing but these files, and what is below these folders, differs from what the run started with. Throws a
 * `TaoError` for a path outside of the workspace.
 */
export function changed(paths: readonly string[]): Criterion {
  if (paths.length === 0) throw new TaoError('criterion', 'A criterion "changed" names no path.')
  const allowed = paths.map(deliveredPath)
  return {
    name: `changed: only ${allowed.map((path) => path || '.').join(', ')}`,
    check: async ({ workspace }) =>
      workspace === undefined
        ? { holds: false, detail: 'The task has no workspace that could be changed.' }
        : await compare(allowed, workspace),
  }
}

async function compare(allowed: readonly string[], workspace: Workspace): Promise<Finding> {
  const changes = await workspace.changes()
  const others = changes.filter(({ path }) => !allowed.some((folder) => isAtOrBelow(path, folder)))
  if (others.length === 0) return { holds: true, detail: `${changes.length} changed, all of them allowed` }
  const more = others.length - MOST_SHOWN
  const lines = others.slice(0, MOST_SHOWN).map(({ path, kind }) => `${kind}: ${path}`)
  return { holds: false, detail: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n') }
}
