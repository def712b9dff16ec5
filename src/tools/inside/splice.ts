import { lineEndAt, normalise, withoutCr } from './line-ends.ts'

/**
 * Texts here hold one character for each byte of a file, so that bytes which are no UTF-8 come through unchanged, and a
 * match of whole characters is a match of bytes.
 */
export const toBytewise = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
export const bytewise = (content: Buffer): string => content.toString('latin1')
export const fromBytewise = (text: string): Buffer => Buffer.from(text, 'latin1')

/** One stretch of a file and what comes in its place. Positions are bytes of the file. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly insertion: string
}

/** Where a text occurs in a file, whatever the file's line ends are. Occurrences may overlap. */
export function occurrences(raw: string, oldText: string): number[] {
  const text = withoutCr(raw)
  const wanted = withoutCr(oldText)
  const found: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) found.push(at)
  return found
}

export interface Replacement {
  readonly raw: string
  /** Positions of the occurrences, as `occurrences` gives them. */
  readonly at: readonly number[]
  readonly oldText: string
  readonly newText: string
}

/**
 * Plans the replacement of each occurrence. What old and new text have in common at their ends is left alone, so that
 * its bytes stay as they are; new lines take the line end in use at that place.
 */
export function planSplices({ raw, at, oldText, newText }: Replacement): Splice[] {
  const [before, after] = [withoutCr(oldText), withoutCr(newText)]
  const head = commonPrefix(before, after)
  const tail = commonSuffix(before, after, Math.min(before.length, after.length) - head)
  const added = after.slice(head, after.length - tail)
  const { toRaw } = normalise(raw)
  const splices: Splice[] = []
  let free = 0
  for (const position of at) {
    if (position < free) continue
    free = position + before.length
    const start = toRaw(position + head)
    const lineEnd = lineEndAt(raw, start) ?? (newText.includes('\r\n') ? '\r\n' : '\n')
    splices.push({ start, end: toRaw(free - tail), insertion: added.replaceAll('\n', () => lineEnd) })
  }
  return splices
}

/** By slicing only: no character of the new text has a meaning. */
export function applySplices(raw: string, splices: readonly Splice[]): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end, insertion } of splices) {
    parts.push(raw.slice(from, start), insertion)
    from = end
  }
  return parts.concat(raw.slice(from)).join('')
}

function commonPrefix(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

function commonSuffix(a: string, b: string, most: number): number {
  let length = 0
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++
  return length
}
