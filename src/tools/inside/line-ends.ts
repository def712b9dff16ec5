/**
 * A text in which every CRLF is seen as LF, with the way back to where each position stands in the raw text. A CR without
 * an LF is data and stays.
 */
export interface Normalised {
  readonly text: string
  /** A line end that was CRLF is found before its CR. */
  toRaw(position: number): number
}

export const withoutCr = (raw: string): string => raw.replaceAll('\r\n', '\n')

export function normalise(raw: string): Normalised {
  const shortened: number[] = [] // positions in the text of line ends that lost their CR
  for (let at = raw.indexOf('\r\n'); at !== -1; at = raw.indexOf('\r\n', at + 2)) shortened.push(at - shortened.length)
  return { text: withoutCr(raw), toRaw: (position) => position + countBelow(shortened, position) }
}

/** A line end at the end of the text ends its last line; it does not begin another one. */
export function splitLines(text: string): string[] {
  const lines = withoutCr(text).split('\n')
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  return lines
}

/** The line end in use at a place: the next one from there, or the last one before it. */
export function lineEndAt(raw: string, start: number): '\n' | '\r\n' | undefined {
  const next = raw.indexOf('\n', start)
  const found = next === -1 ? raw.lastIndexOf('\n', start) : next
  if (found === -1) return undefined
  return raw[found - 1] === '\r' ? '\r\n' : '\n'
}

/** How many of the sorted numbers are below a bound. */
function countBelow(sorted: readonly number[], bound: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < bound) low = middle + 1
    else high = middle
  }
  return low
}
