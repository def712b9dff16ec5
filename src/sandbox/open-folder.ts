import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs'
import { TaoError } from '../core/error.ts'

/** A folder held open. What is named from here lies in it, whatever is done meanwhile to the way that led to it. */
export interface OpenFolder extends Disposable {
  /** A path for an entry, for calls that do not follow a link at the end. */
  at(name: string): string
  /** A path for the folder itself. */
  readonly self: string
}

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Opens a folder of a tree that somebody else can write to. The open folder must lie where it was asked for: then no
 * exchange of a folder for a link led elsewhere. `path` must be real. Throws a `TaoError` when it does not, and what the
 * system says when it cannot be opened.
 */
export function openFolder(path: string): OpenFolder {
  if (process.platform !== 'linux') return { at: (name) => `${path}/${name}`, self: path, [Symbol.dispose]() {} }
  const descriptor = openSync(path, FLAGS)
  const self = `/proc/self/fd/${descriptor}`
  if (!liesAt(descriptor, path)) {
    closeSync(descriptor)
    throw new TaoError('workspace', `${path} is not a folder of the tree any more: a link stands in the way.`)
  }
  return { at: (name) => `${self}/${name}`, self, [Symbol.dispose]: () => closeSync(descriptor) }
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opens a regular file in it: links are not followed, pipes do not block. The caller closes the descriptor. */
export function openFileIn(folder: OpenFolder, name: string): { readonly descriptor: number; readonly size: number } {
  const descriptor = openSync(folder.at(name), READ)
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw new TaoError('workspace', `${name} is not a file any more.`)
    return { descriptor, size: found.size }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** True where the kernel says that this is the descriptor's path; unknown elsewhere than on Linux. */
export function liesAt(descriptor: number, path: string): boolean {
  return process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${descriptor}`) === path
}
