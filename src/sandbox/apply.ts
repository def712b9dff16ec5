import { TaoError } from '../core/error.ts'
import { commit } from './commit.ts'
import { compareWithSource } from './conflict.ts'
import { openStage } from './stage.ts'
import type { Change, Workspace } from './workspace.ts'
import { asWorkingCopy } from './workspace-of.ts'

const NAMED = 20

/**
 * Writes a run's changes into the tree it started from. Everything is compared before anything is written: when one of the
 * files was changed meanwhile, or a protected one in the working copy, it rejects with a `TaoError` that names them. Then
 * all new content is written beside the tree's files, and only then moved into place. Resolves to what the run changed.
 */
export async function applyChanges(workspace: Workspace): Promise<readonly Change[]> {
  const copy = asWorkingCopy(workspace)
  const disturbed = await workspace.disturbed()
  if (disturbed.length > 0)
    throw new TaoError('workspace', `Protected files of the working copy were changed: ${listed(disturbed)}`, {
      fix: 'Do not use this result; run the task again.',
    })
  const delivered = await copy.delivery()
  const { conflicts, open } = await compareWithSource(copy, delivered)
  if (conflicts.length > 0)
    throw new TaoError('conflict', `These were changed in the tree since the run started: ${listed(conflicts)}`, {
      fix: 'Nothing was written. Put them back as they were, or take the changes over by hand from: tao diff',
    })
  const stage = await openStage(copy, open, delivered.states)
  try {
    await commit(copy, open, stage)
  } catch (error) {
    throw new TaoError('workspace', `The changes could not be written whole: ${(error as Error).message}`, {
      cause: error,
      fix: 'Mend that and apply again: what stands already is left as it is.',
    })
  } finally {
    await stage.close()
  }
  return delivered.changes
}

const listed = (paths: readonly string[]): string =>
  paths.length <= NAMED ? paths.join(', ') : `${paths.slice(0, NAMED).join(', ')} and ${paths.length - NAMED} more`
