import { skipBlanks } from '../../core/python-literal.ts'
import type { Block } from './dialect.ts'

/**
 * Where a mark stands next; the length of the text where it stands nowhere. To be asked with growing positions: then all
 * questions together cost one look through the text, however often the answer is "nowhere".
 */
export function seeker(text: string, mark: RegExp): (from: number) => number {
  const pattern = new RegExp(mark.source, 'g')
  let found = -1
  return (from) => {
    if (found >= from) return found
    pattern.lastIndex = from
    found = pattern.exec(text)?.index ?? text.length
    return found
  }
}

/** The marks between which a block stands; `closing` never matches where a family has none. */
export interface Marks {
  readonly opening: RegExp
  readonly closing: RegExp
}

export interface MarkFinder {
  /** Where the next mark stands, whichever it is. */
  next(from: number): number
  /**
   * Where a broken block ends: at its closing mark. Where another begins before that, that may be a part of what the broken
   * one says, so nothing behind it is certain and it goes to the end of the text.
   */
  endOfBroken(from: number): number
}

/** Like `seeker`, to be asked with growing positions. */
export function markFinder(text: string, { opening, closing }: Marks): MarkFinder {
  const nextOpening = seeker(text, opening)
  const nextClosing = seeker(text, closing)
  return {
    next: (from) => Math.min(nextOpening(from), nextClosing(from)),
    endOfBroken: (from) => (nextClosing(from) < nextOpening(from) ? nextClosing(from) : text.length),
  }
}

/** The marks as they are written. */
export const marks = (opening: string, closing: string): Marks => ({
  opening: new RegExp(literal(opening)),
  closing: new RegExp(literal(closing)),
})

const literal = (mark: string): string => mark.replaceAll(/[[\]/|]/g, '\\$&')

/** What a pattern matches at this place; a sticky one costs least. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  const sticky = pattern.sticky ? pattern : new RegExp(pattern.source, 'y')
  sticky.lastIndex = at
  return sticky.exec(text) ?? undefined
}

/** Behind a mark that follows after blanks; the same place where it does not follow. */
export function behind(pattern: RegExp, text: string, at: number): number {
  const mark = skipBlanks(text, at)
  const match = matchAt(pattern, text, mark)
  return match === undefined ? at : mark + match[0].length
}

/**
 * Every block that `opening` begins. `readBlock` gives undefined where the mark is only spoken of. What stands in fenced code
 * or behind a backtick is an example, not a block.
 */
export function readBlocks(
  text: string,
  opening: RegExp,
  readBlock: (match: RegExpExecArray, behind: number) => Omit<Block, 'start'> | undefined,
): Block[] {
  const pattern = new RegExp(opening.source, 'g')
  const blocks: Block[] = []
  let fenced = false
  let looked = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    fenced = isFencedAfter(text.slice(looked, match.index), fenced)
    looked = match.index
    if (fenced || text[match.index - 1] === '`') continue
    const block = readBlock(match, pattern.lastIndex)
    if (block === undefined) continue
    blocks.push({ start: match.index, ...block })
    pattern.lastIndex = Math.max(block.end, pattern.lastIndex)
    looked = block.end
  }
  return blocks
}

/** Thoughts end at their tag, fences that they left open too. */
function isFencedAfter(text: string, before: boolean): boolean {
  const thoughts = text.lastIndexOf('</think')
  const fences = (thoughts === -1 ? text : text.slice(thoughts)).match(/```/g)?.length ?? 0
  return (thoughts === -1 && before) !== (fences % 2 === 1)
}
