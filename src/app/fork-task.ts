import { join } from 'node:path'
import { systemIds } from '../core/clock.ts'
import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import type { SnapshotFile } from '../core/snapshot.ts'
import type { WorkspaceRecord } from '../core/workspace-record.ts'
import type { ContentStore } from '../journal/journal.ts'
import { eventsUntil } from '../run/fork-point.ts'
import type { State } from '../run/state.ts'
import type { Difference } from '../sandbox/workspace.ts'
import { openHome } from './home.ts'
import { type OpenedJournal, openJournal } from './open-journal.ts'
import type { OpenedTask } from './open-task.ts'
import { goOn, type TaskContinuation, type TaskDeployment } from './resume-task.ts'
import { findRun } from './stored-runs.ts'
import { expectSound } from './verify-run.ts'

export interface TaskFork extends TaskContinuation {
  /** The step after which the new run begins; 0 for the start. */
  readonly at: number
}

/**
 * Starts a new run from where another one was after a step, with its working copy as it was then. The other one is left as it
 * is. Rejects with a `TaoError`; then there is no new run.
 */
export async function forkTask(wanted: string, wish: TaskFork, deployment: TaskDeployment): Promise<OpenedTask> {
  const opened = await openJournal(deployment.settings)
  try {
    const names = (await opened.journal.runs()).map(({ run }) => run)
    const parent = findRun(names, wanted)
    await expectSound(opened, parent)
    const { events, state } = eventsUntil(await opened.journal.read(parent), wish.at)
    return await startFork({ parent, events, state, opened }, wish, deployment)
  } catch (error) {
    await opened.close()
    throw error
  }
}

interface Stem {
  readonly parent: string
  readonly events: readonly Event[]
  readonly state: State
  readonly opened: OpenedJournal
}

async function startFork({ parent, events, state, opened }: Stem, wish: TaskFork, deployment: TaskDeployment) {
  const { at, ...continuation } = wish
  const run = systemIds.run()
  const place = join(openHome(deployment.settings.home).work, run)
  const { workspace } = state.started ?? {}
  const copy = workspace === undefined ? undefined : await copyAsThen(workspace, { state, place, store: opened.store })
  try {
    const copied = events.map((event): Event => {
      if (event.kind !== 'run.started') return { ...event, run }
      const origin = { parent: { run: parent, step: at, events: events.length } }
      return { ...event, run, ...origin, ...(copy === undefined ? {} : { workspace: copy }) }
    })
    for (const event of copied) opened.journal.append(event)
    await opened.journal.flush(run, 'committed')
    return await goOn({ run, events: copied, opened }, continuation, deployment)
  } catch (error) {
    await opened.journal.remove([run])
    if (copy !== undefined) await (await import('../sandbox/remove-tree.ts')).removeTree(place)
    throw error
  }
}

interface CopyWish {
  readonly state: State
  readonly place: string
  readonly store: ContentStore
}

async function copyAsThen(from: WorkspaceRecord, { state, place, store }: CopyWish): Promise<WorkspaceRecord> {
  const { forkWorkspace } = await import('../sandbox/fork-copy.ts')
  const files = new Map([...state.files].map(([path, file]) => [path, differenceIn(file)]))
  return forkWorkspace({ from, place, files, read: (path) => contentOf(path, state.files.get(path), store) })
}

function differenceIn(file: SnapshotFile): Difference {
  if ('link' in file) return { kind: 'link', mode: 0o777, content: file.link }
  return 'sha256' in file ? { kind: 'file', mode: file.mode, content: file.sha256 } : undefined
}

async function contentOf(path: string, file: SnapshotFile | undefined, store: ContentStore): Promise<Uint8Array> {
  if (file === undefined || !('sha256' in file)) throw new Error(`${path} is no file.`)
  const kept = file.lost === undefined ? await store.get(file.base64 ?? file.sha256) : undefined
  if (kept !== undefined) return Buffer.from(kept, file.base64 === undefined ? 'utf8' : 'base64')
  throw new TaoError('fork', `What ${path} held then was not kept: ${file.lost ?? 'it is not in the store'}.`, {
    fix: 'Fork at an earlier step, or run the task anew.',
  })
}
