import { TaoError } from '../core/error.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import type { Criterion, Finding } from './criterion.ts'
import { deliveredPath, isAtOrBelow, isDelivered, isThere } from './delivered-path.ts'

const MOST_SHOWN = 20

/**
 * Holds when files, and everything below folders, are byte for byte what the run started with: nothing changed, added or
 * removed. A path that is not there does not hold: it is a slip of whoever wrote it. Throws a `TaoError` for a path
 * outside of the workspace.
 */
export function unchanged(paths: readonly string[]): Criterion {
  if (paths.length === 0) throw new TaoError('criterion', 'A criterion "unchanged" names no path.')
  const wanted = paths.map(deliveredPath)
  return {
    name: `unchanged: ${wanted.map((path) => path || '.').join(', ')}`,
    check: async ({ workspace }) =>
      workspace === undefined
        ? { holds: false, detail: 'The task has no workspace that could be unchanged.' }
        : await compare(wanted, workspace),
  }
}

async function compare(wanted: readonly string[], workspace: Workspace): Promise<Finding> {
  const isWanted = (path: string): boolean => wanted.some((folder) => isAtOrBelow(path, folder))
  const changes = (await workspace.changes()).filter(({ path }) => isWanted(path))
  const seen = new Set(changes.map(({ path }) => path))
  const disturbed = (await workspace.disturbed()).filter((path) => isWanted(path) && !seen.has(path))
  const lines = [...changes.map(({ path, kind }) => `${kind}: ${path}`), ...disturbed.map((path) => `changed: ${path}`)]
  for (const path of wanted)
    if (!isDelivered(path, workspace)) lines.push(`cannot be told: ${path} is among the names that are ignored`)
    else if (!changes.some((change) => isAtOrBelow(change.path, path)) && !isThere(path, workspace))
      lines.push(`not there: ${path}`)
  return { holds: lines.length === 0, detail: lines.length === 0 ? 'nothing differs' : list(lines) }
}

function list(lines: readonly string[]): string {
  const more = lines.length - MOST_SHOWN
  return [...lines.slice(0, MOST_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}
