import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { isReadOnly } from '../core/call.ts'
import { describeError } from '../core/error.ts'
import type { FilesChanged, KeptFile, SnapshotFile } from '../core/snapshot.ts'
import type { Difference, Workspace } from '../sandbox/workspace.ts'
import type { Parts, Run } from './run.ts'
import type { OpenCall } from './state.ts'

/** Bytes of one file, and of all files of one call, whose contents are kept. */
const LARGEST_FILE = 8 << 20
const MOST_BYTES = 64 << 20
/** Each content is a file of its own in the store. */
const MOST_FILES = 2_000

/**
 * What a call that may have changed files did to the working copy; nothing where it changed none. The contents are kept before
 * the event that speaks of them. Never rejects: a working copy that cannot be read is said in the event.
 */
export async function snapshotAfter(run: Run, { call, effects }: OpenCall): Promise<FilesChanged[]> {
  const { workspace } = run.parts
  if (workspace === undefined || isReadOnly(effects)) return []
  try {
    const files = await changedFiles(run, workspace)
    return files.length === 0 ? [] : [{ kind: 'files.changed', call: call.id, files }]
  } catch (error) {
    return [{ kind: 'files.changed', call: call.id, files: [], problem: describeError(error) }]
  }
}

async function changedFiles({ state, parts }: Run, workspace: Workspace): Promise<SnapshotFile[]> {
  const now = await workspace.differences()
  const room = { bytes: MOST_BYTES, files: MOST_FILES }
  const files: SnapshotFile[] = []
  for (const [path, difference] of now) {
    if (isSame(state.files.get(path), difference)) continue
    files.push(await describe(path, difference, { parts, workspace, room }))
  }
  for (const path of state.files.keys()) if (!now.has(path)) files.push({ path, atStart: true })
  return files
}

function isSame(before: SnapshotFile | undefined, now: Difference): boolean {
  if (before === undefined) return false
  if (now === undefined) return 'gone' in before
  if (now.kind === 'link') return 'link' in before && before.link === now.content
  return 'sha256' in before && before.sha256 === now.content && before.mode === now.mode
}

interface Keeping {
  readonly parts: Parts
  readonly workspace: Workspace
  /** What may still be kept of this call. */
  readonly room: { bytes: number; files: number }
}

async function describe(path: string, now: Difference, keeping: Keeping): Promise<SnapshotFile> {
  if (now === undefined) return { path, gone: true }
  if (now.kind === 'link') return { path, link: now.content }
  const { room, workspace } = keeping
  const most = Math.min(LARGEST_FILE, room.bytes)
  const bytes = room.files === 0 ? undefined : await workspace.read(path, most)
  if (bytes === undefined) return { path, mode: now.mode, sha256: now.content, lost: 'it is too much to be kept' }
  room.bytes -= bytes.length
  room.files -= 1
  return { path, mode: now.mode, ...(await keep(bytes, keeping)) }
}

/** Secrets are kept nowhere: what would have to be changed for that is not kept either. */
async function keep(bytes: Buffer, { parts }: Keeping): Promise<Omit<KeptFile, 'mode'>> {
  const sha256 = hash('sha256', bytes)
  const text = bytes.toString()
  const masked = parts.masker?.mask(text) ?? text
  if (masked !== text) return { sha256, lost: 'a secret stands in it' }
  if (!isUtf8(bytes)) return { sha256, base64: await parts.store.put(bytes.toString('base64')) }
  await parts.store.put(text)
  return { sha256 }
}
