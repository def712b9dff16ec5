import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TaoError } from '../core/error.ts'
import { identify, isAlive, type ProcessIdentity } from './process.ts'
import type { State } from './snapshot.ts'
import type { Change } from './workspace.ts'

/** Told before each thing that is done to the file system. What it throws ends the work there. */
export type OnStep = (step: string) => void

/** One path that an apply writes or removes. */
export interface PlannedChange extends Change {
  /** What it was when the run started; null when it was not there. */
  readonly before: State | null
  /** What it becomes; null when it goes. */
  readonly after: State | null
  /** Where its new content lies, relative to the tree. */
  readonly staged?: string
}

/**
 * What an apply is about to do, written before it does it. `staging`: nothing of the tree has been touched, so it is undone.
 * `ready`: all new content lies on the disk, so it is finished.
 */
export interface ApplyRecord {
  readonly state: 'staging' | 'ready'
  readonly source: string
  readonly by: ProcessIdentity | null
  /** Folders with new content, relative to the tree. */
  readonly stages: readonly string[]
  readonly changes: readonly PlannedChange[]
  /** Folders above new content, with their modes; a folder stands before those in it. */
  readonly folders: readonly (readonly [path: string, mode: number])[]
  /** Folders that the run removed, as far as nothing else lies in them; innermost first. */
  readonly gone: readonly string[]
}

const FORMAT = 'tao-apply-1'
const underWay = new Set<string>()

const recordFile = (copy: string): string => join(dirname(copy), 'apply.json')

/** Undefined when no apply was cut off. Throws a `TaoError` when one is still going on, or its record cannot be read. */
export function readRecord(copy: string): ApplyRecord | undefined {
  const file = recordFile(copy)
  let saved: ApplyRecord & { readonly format?: unknown }
  try {
    saved = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new TaoError('workspace', `${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  if (saved.format !== FORMAT)
    throw new TaoError('workspace', `${file} was written by another version of Tao.`, {
      fix: 'Finish the apply with the version that began it.',
    })
  if (isUnderWay(copy, saved.by)) throw underWayError(saved.by)
  return saved
}

/** True for a working copy that somebody is applying, or that holds what is needed to finish. */
export function hasRecord(place: string): boolean {
  try {
    return readFileSync(join(place, 'apply.json')).length >= 0
  } catch {
    return false
  }
}

/** Throws a `TaoError` when another process was faster. */
export function beginRecord(copy: string, record: Omit<ApplyRecord, 'by'>, onStep: OnStep): void {
  const file = recordFile(copy)
  const part = writePart(file, record, onStep)
  onStep('put the record in place')
  try {
    linkSync(part, file) // Unlike renaming, it replaces nothing.
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw underWayError(readBy(file))
    throw new TaoError('workspace', `Nothing was applied: ${(error as Error).message}`, { cause: error })
  } finally {
    rmSync(part, { force: true })
  }
  underWay.add(copy)
  syncFolder(dirname(file))
}

/** All new content is on the disk: from here on the apply is finished, not undone. */
export function replaceRecord(copy: string, record: Omit<ApplyRecord, 'by'>, onStep: OnStep): void {
  const file = recordFile(copy)
  const part = writePart(file, record, onStep)
  onStep('put the record in place again')
  renameSync(part, file)
  syncFolder(dirname(file))
}

/** The last thing an apply does. */
export function removeRecord(copy: string, onStep: OnStep): void {
  onStep('remove the record')
  rmSync(recordFile(copy), { force: true })
  underWay.delete(copy)
}

/** A failed apply may be called again in this process. */
export function leaveRecord(copy: string): void {
  underWay.delete(copy)
}

function writePart(file: string, record: Omit<ApplyRecord, 'by'>, onStep: OnStep): string {
  const part = `${file}.${process.pid}.part`
  onStep('write the record')
  const by = identify(process.pid) ?? null
  try {
    writeFileSync(part, JSON.stringify({ format: FORMAT, ...record, by }), { mode: 0o600, flush: true })
  } catch (error) {
    throw new TaoError('workspace', `Nothing was applied: ${(error as Error).message}`, { cause: error })
  }
  return part
}

function readBy(file: string): ProcessIdentity | null {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as ApplyRecord).by
  } catch {
    return null
  }
}

/** A name is on the disk when its folder is. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function isUnderWay(copy: string, by: ProcessIdentity | null): boolean {
  if (by === null) return false
  return by.pid === process.pid ? underWay.has(copy) : isAlive(by)
}

const underWayError = (by: ProcessIdentity | null): TaoError =>
  new TaoError(
    'workspace',
    `This run is being applied at the moment, by ${by === null ? 'another process' : `process ${by.pid}`}.`,
    {
      fix: 'Wait until it has ended.',
    },
  )
