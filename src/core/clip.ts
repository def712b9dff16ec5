/** A text cut to size: its beginning and its end, with a sentence about what lies between. */
export interface Clipped {
  readonly text: string
  readonly truncated: boolean
}

/**
 * Keeps the first and the last half of `limit` characters. Cuts at code points, so that no half of a surrogate pair is
 * left, and replaces lone surrogates, which some services refuse.
 */
export function clip(text: string, limit: number, note: (leftOut: number) => string = standardNote): Clipped {
  if (text.length <= limit) return { text: text.toWellFormed(), truncated: false }
  const head = cutBefore(text, Math.ceil(limit / 2))
  const tail = cutAfter(text, text.length - Math.floor(limit / 2))
  const cut = `${head}\n${note(text.length - head.length - tail.length)}\n${tail}`
  return { text: cut.toWellFormed(), truncated: true }
}

const standardNote = (leftOut: number): string => `[… ${leftOut} characters left out …]`

/** One line of at most `limit` characters, for people. */
export function oneLine(text: string, limit: number): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length <= limit ? line : `${cutBefore(line, limit - 1)}…`
}

/** The first of some names, and how many more there are. */
export const someOf = (names: readonly string[], most: number): string =>
  names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

function cutBefore(text: string, at: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at)
}

function cutAfter(text: string, at: number): string {
  return text.slice(isLowSurrogate(text.charCodeAt(at)) ? at + 1 : at)
}
