const MAX_SHOWN_LINE = 300
const MAX_COMPARED_LINES = 50_000
/** Below this share of common letter pairs two lines have nothing to do with each other. */
const LIKENESS = 0.4

/** Says why a text may not have been found: where it stands with other white space, or else the line most like it. */
export function explainNotFound(lines: readonly string[], oldText: string): string {
  const shown = /⟨U\+[0-9A-F]{4,6}⟩/.exec(oldText)?.[0]
  if (shown !== undefined && lines.join('\n').includes(withCharacters(oldText)))
    return `${shown} is how an invisible character is shown; the file holds the character itself. ${escapeFor(shown)}`
  const wanted = oldText.split('\n')
  const spaced = findIgnoringSpace(lines, wanted)
  if (spaced !== undefined) {
    const last = spaced + wanted.length
    const where = wanted.length === 1 ? `line ${spaced + 1}` : `lines ${spaced + 1}-${last}`
    return `It differs only in white space or line ends from ${where}, exactly:\n${lines.slice(spaced, last).join('\n')}`
  }
  const nearest = findNearest(lines, wanted)
  if (nearest === undefined) return 'No line of the file is like it. Read the file again.'
  return `The nearest line is line ${nearest + 1}:\n${(lines[nearest] ?? '').slice(0, MAX_SHOWN_LINE).toWellFormed()}`
}

/** What is shown as codes, as it stands in the file. */
const withCharacters = (text: string): string =>
  text.replaceAll(/⟨U\+([0-9A-F]{4,6})⟩/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))

function escapeFor(shown: string): string {
  const units = withCharacters(shown).split('')
  const escaped = units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  return `Write it as ${escaped} in the JSON of the call, or quote text that lies beside it.`
}

/** The first line of a stretch that is equal when white space does not count. */
function findIgnoringSpace(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const solid = wanted.map(withoutSpace)
  if (solid.every((line) => line === '')) return undefined
  const squeezed = lines.map(withoutSpace)
  if (solid.length === 1) return found(squeezed.findIndex((line) => line.includes(solid[0] ?? '')))
  const last = solid.length - 1
  return found(
    squeezed.findIndex((line, start) =>
      solid.every((text, offset) => {
        if (offset === 0) return line.endsWith(text)
        const there = squeezed[start + offset]
        return offset === last ? (there ?? '').startsWith(text) : there === text
      }),
    ),
  )
}

const withoutSpace = (line: string): string => line.replaceAll(/\s+/g, '')

const found = (index: number): number | undefined => (index === -1 ? undefined : index)

/** Compares the longest line of what was looked for. */
function findNearest(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((best, line) => (line.trim().length > best.length ? line.trim() : best), '')
  const pairs = letterPairs(longest)
  let best: number | undefined
  let bestLikeness = LIKENESS
  for (let index = 0; index < Math.min(lines.length, MAX_COMPARED_LINES); index++) {
    const likeness = compare(pairs, letterPairs((lines[index] ?? '').trim()))
    if (likeness > bestLikeness) [best, bestLikeness] = [index, likeness]
  }
  return best
}

function letterPairs(line: string): Set<string> {
  const text = line.slice(0, MAX_SHOWN_LINE).toLowerCase()
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)))
}

function compare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0
  let common = 0
  for (const pair of a) if (b.has(pair)) common++
  return (2 * common) / (a.size + b.size)
}
