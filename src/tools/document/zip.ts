import { unzipSync, zipSync } from 'fflate'
import { DocumentError } from './document-error.ts'

/** What an archive may become when it is unpacked: bytes of all entries that are wanted together, and how many there may be. */
const MOST_EXPANDED = 64 << 20
const MOST_ENTRIES = 10_000

export interface Entry {
  readonly name: string
  /** Bytes, by the archive's own word. No more are unpacked of it. */
  readonly size: number
}

export interface Unpacked {
  /** All of them, also those that were not wanted. */
  readonly entries: readonly Entry[]
  readonly files: ReadonlyMap<string, Uint8Array>
}

/**
 * Unpacks in memory what is wanted of an archive; nothing is written anywhere. Sizes are added up before the first byte is
 * unpacked. Throws a `DocumentError` for a limit, and an error for what is no archive.
 */
export function unpack(bytes: Uint8Array, wanted: (entry: Entry) => boolean): Unpacked {
  const entries: Entry[] = []
  let expanded = 0
  if (isLocked(bytes)) throw new Error('it is locked with a password')
  const files = unzipSync(bytes, {
    filter({ name, originalSize: size }) {
      const entry = { name, size }
      entries.push(entry)
      if (entries.length > MOST_ENTRIES) throw tooMuch(`more than ${MOST_ENTRIES} entries (limit "entries")`)
      if (name.endsWith('/') || !wanted(entry)) return false
      expanded += size
      if (expanded > MOST_EXPANDED)
        throw tooMuch(`contents of more than ${MOST_EXPANDED} bytes when unpacked (limit "expanded")`)
      return true
    },
  })
  return { entries, files: new Map(Object.entries(files)) }
}

/** The same archive with nothing in it but what is wanted, not packed: what reads it has nothing to unpack. */
export function repack(bytes: Uint8Array, wanted: (entry: Entry) => boolean): Uint8Array {
  return zipSync(Object.fromEntries(unpack(bytes, wanted).files), { level: 0 })
}

/** A bit of the first entry's header. */
const isLocked = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[6] ?? 0) & 1) === 1

const tooMuch = (what: string): DocumentError => new DocumentError('limit', `It has ${what}.`)
