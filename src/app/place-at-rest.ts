import type { Event } from '../core/event.ts'
import type { WorkspaceRecord } from '../core/workspace-record.ts'
import type { Trouble } from '../run/state.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import type { RunOptions } from './run-options.ts'
import { needsPlace, type OpenedParts, partsIn } from './run-parts.ts'

/** The parts of a recorded run as they would be made now, with nothing copied, started or looked at. */
export const partsOfRecord = (options: RunOptions, run: string, events: readonly Event[]): Promise<OpenedParts> =>
  partsIn(options, run, async (checked, toolsNeedSandbox) => {
    const [started] = events
    const record = started?.kind === 'run.started' ? started.workspace : undefined
    if (!needsPlace(checked, toolsNeedSandbox)) return { criteria: [] }
    const furniture = await (await import('./work-place.ts')).furnish(checked)
    const blocked = blockedAtStart(events)
    return {
      ...furniture,
      ...(record === undefined ? {} : { workspace: workspaceAtRest(record) }),
      ...(blocked === undefined ? {} : { blocked }),
    }
  })

/** What was missing before anything was done. */
function blockedAtStart(events: readonly Event[]): Trouble | undefined {
  const first = events.find(({ kind }) => kind !== 'run.started' && kind !== 'mark.added')
  if (first?.kind !== 'run.blocked') return undefined
  return first.fix === undefined ? { reason: first.reason } : { reason: first.reason, fix: first.fix }
}

/** A working copy that is only spoken of: nothing looks into it, and nothing changes in it. */
function workspaceAtRest(record: WorkspaceRecord): Workspace {
  return {
    record,
    view: { copy: record.copy, protect: record.protect },
    changes: async () => [],
    differences: async () => new Map(),
    leftOut: async () => [],
    treeHash: async () => '',
    disturbed: async () => [],
    read: async () => undefined,
    cleanCopy: () => Promise.reject(new Error('A replay copies nothing.')),
  }
}
