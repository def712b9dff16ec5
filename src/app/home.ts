import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeError, TaoError } from '../core/error.ts'

/** The state directory and what lies in it. */
export interface Home {
  readonly path: string
  readonly journal: string
  readonly journalKey: string
  /** How far each run has come: the second place, unless another one is named. */
  readonly checkpoints: string
  readonly objects: string
  /** Holds one working copy for each run. */
  readonly work: string
  /** Holds the index of each folder of documents. */
  readonly corpora: string
}

export const homeAt = (path: string): Home => ({
  path,
  journal: join(path, 'journal.sqlite'),
  journalKey: join(path, 'journal.key'),
  checkpoints: join(path, 'checkpoints.jsonl'),
  objects: join(path, 'objects'),
  work: join(path, 'work'),
  corpora: join(path, 'corpora'),
})

/** Others may pass through to a working copy whose name they know, and list nothing. */
const PASS_THROUGH = 0o711

/** Makes the state directory if it is not there. Throws a `TaoError` when it cannot be made or written. */
export function openHome(path: string): Home {
  const home = homeAt(path)
  try {
    for (const folder of [home.path, home.work]) makeOpenFolder(folder)
    accessSync(home.path, constants.W_OK | constants.X_OK)
    accessSync(home.work, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new TaoError('home', `The state directory ${path} cannot be used: ${describeError(error)}`, {
      fix: 'Name a directory that you may write with TAO_HOME=DIR.',
      cause: error,
    })
  }
  return home
}

function makeOpenFolder(folder: string): void {
  if (makeFolder(folder)) chmodSync(folder, PASS_THROUGH) // whatever the umask says
}

/** True when it was not there. Folder by folder: below /proc and its like, Node's own recursion goes on for ever. */
function makeFolder(folder: string): boolean {
  if (existsSync(folder)) return false
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false // Another process was faster.
    throw error
  }
}

/**
 * Commands of a run that root started run as a user without a name. Finds the outermost folder on the way to `path`
 * that this user may not enter; undefined when the way is free. Folders that are not there yet will be made open.
 */
export function findClosedFolder(path: string, uid: number = process.geteuid?.() ?? -1): string | undefined {
  if (uid !== 0) return undefined
  const folders = [path]
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) folders.unshift(dirname(folder))
  return folders.find((folder) => ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0o001) & 0o001) === 0)
}

export const closedFolderFix = (folder: string): string =>
  `Open the way with: chmod o+x ${folder}   or keep runs elsewhere: TAO_HOME=/var/lib/tao`
