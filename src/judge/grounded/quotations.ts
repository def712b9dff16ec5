import { plain, type Span, spanOf } from './text.ts'

export interface WrittenQuotation extends Span {
  readonly text: string
}

const QUOTED =
  /"([^"\n]{2,600})"|“([^”\n]{2,600})”|„([^“”\n]{2,600})[“”]|«([^»\n]{2,600})»|「([^」\n]{2,600})」|`([^`\n]{1,300})`|(?<![\p{L}\p{N}])['‘]([^'‘’\n]{2,300}(?:(?<=\p{L})['’](?=\p{L})[^'‘’\n]*)*)['’](?![\p{L}\p{N}])/gu

/** Everything that stands between quotation marks, or between backticks. */
export function quotationsIn(text: string): WrittenQuotation[] {
  return Array.from(text.matchAll(QUOTED), (match) => ({
    ...spanOf(match),
    text: match.slice(1).find((group) => group !== undefined) ?? '',
  }))
}

/** Says of a quotation whether a source has these words in this order. What `…` leaves out may be anything. */
export function knownQuotations(sources: readonly string[]): (written: WrittenQuotation) => boolean {
  const texts = sources.map(folded)
  return ({ text }) => {
    const pieces = text.split(/\[?(?:…|\.\.\.)\]?/).map((piece) =>
      folded(piece)
        .trim()
        .replace(/[.,;:!?]+$/u, ''),
    )
    return texts.some((source) => standInOrder(pieces, source))
  }
}

function standInOrder(pieces: readonly string[], source: string): boolean {
  let from = 0
  for (const piece of pieces) {
    const at = findWhole(piece, source, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return true
}

/** A quotation begins and ends where words do. */
export function findWhole(piece: string, source: string, from = 0): number {
  for (let at = source.indexOf(piece, from); at !== -1; at = source.indexOf(piece, at + 1)) {
    const isCutBefore = isInWord(source[at - 1]) && isInWord(piece[0])
    const isCutAfter = isInWord(source[at + piece.length]) && isInWord(piece.at(-1))
    if (!isCutBefore && !isCutAfter) return at
  }
  return -1
}

const isInWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character) && !/\p{Script=Han}/u.test(character)

const folded = (text: string): string => plain(text).toLowerCase()
