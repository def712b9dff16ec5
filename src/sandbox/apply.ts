import { someOf } from '../core/clip.ts'
import { TaoError } from '../core/error.ts'
import {
  type ApplyRecord,
  beginRecord,
  leaveRecord,
  type OnStep,
  type PlannedChange,
  readRecord,
  removeRecord,
  replaceRecord,
} from './apply-record.ts'
import { commit, isContentThere } from './commit.ts'
import { compareWithSource } from './conflict.ts'
import { fillStages, planStages, removeStages } from './stage.ts'
import { foldersAbove } from './view.ts'
import type { Change, Workspace } from './workspace.ts'
import { asWorkingCopy, type Delivered, type WorkingCopy } from './workspace-of.ts'

export interface ApplyOptions {
  readonly onStep?: OnStep
}

const NAMED = 20

/**
 * Writes a run's changes into the tree it started from. Everything is compared before anything is written: when one of the
 * files was changed meanwhile, or a protected one in the working copy, it rejects with a `TaoError` that names them. Then
 * what is to be done is put on record, all new content is written beside the tree's files, and only then moved into place:
 * cut off at whatever moment, the next call undoes or finishes it. Resolves to what the run changed.
 */
export async function applyChanges(workspace: Workspace, options: ApplyOptions = {}): Promise<readonly Change[]> {
  await finishApply(workspace, options)
  return await applyAnew(workspace, options.onStep ?? (() => {}))
}

async function applyAnew(workspace: Workspace, onStep: OnStep): Promise<readonly Change[]> {
  const copy = asWorkingCopy(workspace)
  const disturbed = await workspace.disturbed()
  if (disturbed.length > 0)
    throw new TaoError('workspace', `Protected files of the working copy were changed: ${listed(disturbed)}`, {
      fix: 'Do not use this result; run the task again.',
    })
  const delivered = await copy.delivery()
  const { conflicts, open } = await compareWithSource(copy.record.source, planned(copy, delivered))
  if (conflicts.length > 0)
    throw new TaoError('conflict', `These were changed in the tree since the run started: ${listed(conflicts)}`, {
      fix: 'Nothing was written. Put them back as they were, or take the changes over by hand from: tao diff',
    })
  if (open.length > 0) await carryOut(copy, makeRecord(copy, delivered, open), onStep)
  return delivered.changes
}

/**
 * Finishes or undoes an apply of this run that was cut off; does nothing when there is none. Rejects with a `TaoError` that
 * names the files when somebody changed them since: then nothing more is written.
 */
export async function finishApply(
  workspace: Workspace,
  { onStep = () => {} }: ApplyOptions = {},
): Promise<'finished' | 'undone' | undefined> {
  const { copy } = workspace.record
  const record = readRecord(copy)
  if (record === undefined) return undefined
  if (record.state === 'staging') return await undo(copy, record, onStep)
  const { conflicts, open } = await compareWithSource(record.source, record.changes)
  const stand = record.changes.length - open.length - conflicts.length
  if (conflicts.length > 0)
    throw new TaoError('conflict', halfWay(`were changed since: ${listed(conflicts)}`, stand, record), {
      fix: 'Put them back as they were, or make them as the run wants them (tao diff), and apply again: the rest is finished then.',
    })
  if (isContentThere(record, open)) await write(copy, record, open, onStep)
  else {
    await undo(copy, record, onStep)
    await applyAnew(workspace, onStep) // It is written anew, and what stands is left.
  }
  return 'finished'
}

const halfWay = (what: string, stand: number, { changes }: ApplyRecord): string =>
  `An apply of this run was cut off with ${stand} of ${changes.length} changes written, and these ${what}`

async function carryOut(copy: WorkingCopy, record: Omit<ApplyRecord, 'by'>, onStep: OnStep): Promise<void> {
  const { copy: folder } = copy.record
  beginRecord(folder, record, onStep)
  const begun: ApplyRecord = { ...record, by: null }
  try {
    await fillStages(folder, record, onStep)
    replaceRecord(folder, { ...record, state: 'ready' }, onStep)
  } catch (error) {
    await undo(folder, begun, onStep)
    if (error instanceof TaoError) throw error
    throw new TaoError('workspace', `Nothing was applied: ${(error as Error).message}`, { cause: error })
  }
  await write(folder, begun, record.changes, onStep)
}

async function undo(copy: string, record: ApplyRecord, onStep: OnStep): Promise<'undone'> {
  await removeStages(record, onStep)
  removeRecord(copy, onStep)
  return 'undone'
}

async function write(copy: string, record: ApplyRecord, open: readonly PlannedChange[], onStep: OnStep): Promise<void> {
  try {
    await commit(record, open, onStep)
  } catch (error) {
    leaveRecord(copy)
    const { open: rest, conflicts } = await compareWithSource(record.source, record.changes)
    const stand = record.changes.length - rest.length - conflicts.length
    if (stand === 0 && open.length === record.changes.length) await undo(copy, record, onStep)
    const code = error instanceof TaoError ? error.code : 'workspace'
    const written = `${stand} of ${record.changes.length} changes were written`
    throw new TaoError(code, `The changes could not be written whole (${written}): ${(error as Error).message}`, {
      cause: error,
      fix: 'Mend that and apply again: what stands is left as it is, and the rest is finished.',
    })
  }
  await removeStages(record, onStep)
  removeRecord(copy, onStep)
}

const planned = ({ base }: WorkingCopy, { states, changes }: Delivered): PlannedChange[] =>
  changes.map((change) => ({
    ...change,
    before: base.states.get(change.path) ?? null,
    after: states.get(change.path) ?? null,
  }))

function makeRecord(
  { record }: WorkingCopy,
  { changes, folders }: Delivered,
  open: readonly PlannedChange[],
): Omit<ApplyRecord, 'by'> {
  const removed = changes.filter(({ kind }) => kind === 'removed').flatMap(({ path }) => foldersAbove(path))
  const above = new Set(open.filter(({ after }) => after !== null).flatMap(({ path }) => foldersAbove(path)))
  return {
    state: 'staging',
    source: record.source,
    ...planStages(record.source, open),
    folders: [...folders].filter(([path]) => above.has(path)),
    gone: [...new Set(removed)]
      .filter((path) => !folders.has(path))
      .sort()
      .reverse(),
  }
}

const listed = (paths: readonly string[]): string => someOf(paths, NAMED)
