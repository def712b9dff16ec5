import { posix } from 'node:path'
import type { View } from '../sandbox/sandbox.ts'
import type { OpenedFile } from './inside/request.ts'

/**
 * What this run has last seen of each file. Belongs to a view, so that all tools of a run share it and no two runs do.
 * A resumed run starts without: then files are read again before they are replaced.
 */
export interface Seen {
  /** SHA-256 of what was seen; undefined for a file that was not. */
  get(written: string): string | undefined
  /** `written` is the path as the model wrote it; the file may have been reached over a link. */
  set(written: string, file: OpenedFile): void
}

const byView = new WeakMap<View, Seen>()

export function seenIn(view: View): Seen {
  const known = byView.get(view) ?? makeSeen()
  byView.set(view, known)
  return known
}

function makeSeen(): Seen {
  const hashes = new Map<string, string>()
  const real = new Map<string, string>()
  return {
    get: (written) => hashes.get(real.get(plain(written)) ?? plain(written)),
    set(written, file) {
      real.set(plain(written), file.path)
      hashes.set(file.path, file.sha256)
    },
  }
}

const plain = (path: string): string => posix.relative('/workspace', posix.resolve('/workspace', path))
