import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { ignoring } from './ignore.ts'

/** Where the content with a hash stands in the file of kept contents; `size` -1 for one that is no text. */
export type TextIndex = ReadonlyMap<string, { readonly at: number; readonly size: number }>

/** Bytes of a file that are still compared line by line: what is larger needs no text. */
export const LARGEST_TEXT = 2 << 20
/** Bytes kept of a whole tree. */
const MOST_BYTES = 256 << 20
const BUFFER = 1 << 20

/** Packages that somebody else wrote and a tool installed: nobody reads a diff of them. */
const isInstalled = ignoring(['node_modules', '.venv', 'venv', 'site-packages'])

/**
 * Keeps what files said when the run started, each content once, all in one file: the run's own change can be shown
 * whatever becomes of the tree. One file, since that costs next to nothing beside the copy itself.
 */
export class OldTexts implements Disposable {
  readonly index = new Map<string, { readonly at: number; readonly size: number }>()
  readonly #descriptor: number
  readonly #buffer = Buffer.allocUnsafe(BUFFER)
  #used = 0
  #written = 0

  constructor(file: string) {
    this.#descriptor = openSync(file, 'wx', 0o600)
  }

  keep(path: string, hash: string, bytes: Buffer): void {
    if (bytes.length > LARGEST_TEXT || this.index.has(hash) || isInstalled(path)) return
    const at = this.#written + this.#used
    if (!isText(bytes)) this.index.set(hash, { at, size: -1 })
    else if (at + bytes.length <= MOST_BYTES) {
      this.index.set(hash, { at, size: bytes.length })
      this.#append(bytes)
    }
  }

  #append(bytes: Buffer): void {
    if (this.#used + bytes.length > BUFFER) this.flush()
    if (bytes.length > BUFFER) this.#write(bytes)
    else this.#used += bytes.copy(this.#buffer, this.#used)
  }

  flush(): void {
    this.#write(this.#buffer.subarray(0, this.#used))
    this.#used = 0
  }

  #write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done)
    this.#written += bytes.length
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor)
  }
}

export const isText = (bytes: Buffer): boolean => !bytes.includes(0)

/** The caller compares the hash. Throws what the system says. */
export function readText(file: string, { at, size }: { readonly at: number; readonly size: number }): Buffer {
  const bytes = Buffer.alloc(size)
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    for (let done = 0; done < size; ) {
      const count = readSync(descriptor, bytes, done, size - done, at + done)
      if (count === 0) break
      done += count
    }
    return bytes
  } finally {
    closeSync(descriptor)
  }
}
