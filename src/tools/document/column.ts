import { oneLine } from '../../core/clip.ts'

const INTEGER = /^[-+]?\d{1,15}$/
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i
const DATE = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[-+][\d:]+)?)?$/

/** Different values are counted up to here, and listed where there are few. */
const MOST_COUNTED = 1_000
const MOST_LISTED = 8
const EXAMPLES = 3
const EXAMPLE = 40

/** What a column holds, in a line: kind, range or examples, how many cells are empty. */
export function describeColumn(cells: readonly string[]): string {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  if (filled.length === 0) return 'empty'
  const empty = cells.length - filled.length
  return `${describeFilled(filled)}${empty === 0 ? '' : `; ${empty} empty`}`
}

function describeFilled(cells: readonly string[]): string {
  if (cells.every((cell) => NUMBER.test(cell))) {
    const kind = cells.every((cell) => INTEGER.test(cell)) ? 'whole numbers' : 'numbers'
    const [least, most] = rangeOf(cells.map(Number), (a, b) => a < b)
    return `${kind} from ${least} to ${most}`
  }
  if (cells.every((cell) => DATE.test(cell))) {
    const [first, last] = rangeOf(cells, (a, b) => a < b)
    return `dates from ${first} to ${last}`
  }
  return describeTexts(cells)
}

function describeTexts(cells: readonly string[]): string {
  const distinct = new Set<string>()
  for (const cell of cells) if (distinct.size <= MOST_COUNTED) distinct.add(cell)
  const listed = [...distinct]
    .slice(0, distinct.size <= MOST_LISTED ? MOST_LISTED : EXAMPLES)
    .map((cell) => `"${oneLine(cell, EXAMPLE)}"`)
    .join(', ')
  if (distinct.size <= MOST_LISTED) return `texts: ${listed}`
  return `texts, ${distinct.size > MOST_COUNTED ? `more than ${MOST_COUNTED}` : distinct.size} different, such as ${listed}`
}

function rangeOf<T>(values: readonly T[], isLess: (a: T, b: T) => boolean): readonly [T | undefined, T | undefined] {
  let [least, most] = [values[0], values[0]]
  for (const value of values) {
    if (least === undefined || isLess(value, least)) least = value
    if (most === undefined || isLess(most, value)) most = value
  }
  return [least, most]
}
