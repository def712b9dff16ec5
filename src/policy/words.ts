import type { UserWords } from '../core/words.ts'
import { HIDDEN, withoutHidden } from './fit.ts'

/** What the user typed, ready to be searched. */
export interface TypedWords {
  /** NFKC, without what cannot be seen, white space as single spaces. */
  readonly plain: string
  readonly folded: string
}

const LONGEST_ANCHOR = 10_000
const SHORTEST_ANCHOR = 3

/** Pasted and attached text may be somebody else's, and gives no authority. */
export function typedWords(words: readonly UserWords[]): TypedWords {
  const typed = words.filter(({ kind }) => kind === 'typed').map(({ text }) => text)
  const plain = withoutHidden(typed.join(' | ').normalize('NFKC').replaceAll(/\s+/g, ' ')).trim()
  return { plain, folded: plain.toLowerCase() }
}

/** True when the text stands there as a whole: not as a part of a longer word, address, number or date. */
export function saysText(words: TypedWords, text: string): boolean {
  if (text.length > LONGEST_ANCHOR || isDeceptive(text)) return false
  const wanted = text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
  return wanted.length >= SHORTEST_ANCHOR && standsWhole(words.folded, wanted)
}

export const saysNumber = ({ plain }: TypedWords, value: number): boolean =>
  Array.from(plain.matchAll(NUMBER))
    .filter((match) => isWhole(plain, match.index, match.index + match[0].length))
    .some(([written]) => readNumber(written) === value)

/** An identifier counts only where the user calls it one: `id 13`, `payee #7`, or a handle such as `payee:3` itself. */
export function saysId(words: TypedWords, kind: string, value: string): boolean {
  if (isDeceptive(value)) return false
  const named = Array.from(words.plain.matchAll(REFERENCE)).some(
    ([, noun = '', written = '']) =>
      ['id', kind.toLowerCase()].includes(noun.toLowerCase()) && written.replace(/[.:-]+$/, '') === value,
  )
  return named || (value.startsWith(`${kind}:`) && standsWhole(words.plain, value))
}

/** Groups of three may be parted by commas or spaces, as in 2,000 and 2 000; the fraction begins with a point, or a comma. */
const NUMBER = /\d{1,3}(?:[, ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?/g

function readNumber(written: string): number {
  const grouped = /^\d{1,3}(?:[, ]\d{3})+/.exec(written)?.[0] ?? ''
  return Number(grouped.replaceAll(/[, ]/g, '') + written.slice(grouped.length).replace(',', '.'))
}

/** A noun and what stands behind it, which may be the noun of the next. */
const REFERENCE = /(?<![\p{L}\p{N}_])(\p{L}+)(?=\s*[:#№]?\s*['"]?([\w.:-]{1,200}))/gu

/** Hidden characters, look-alikes of other widths, and words of mixed scripts are never the user's, whatever they look like. */
function isDeceptive(text: string): boolean {
  if (HIDDEN.test(text.replaceAll(/\s/g, ' ')) || text.normalize('NFKC') !== text.normalize('NFC')) return true
  const isMixed = (word: string) => SCRIPTS.filter((script) => script.test(word)).length > 1
  return (text.match(/[\p{L}\p{M}]+/gu) ?? []).some(isMixed)
}

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]

/** Both texts are folded the same way. */
export function standsWhole(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (isWhole(text, at, at + wanted.length)) return true
  return false
}

/** Neither a letter or digit beside it, nor one behind a single sign that joins: of `a.b@c.org`, `b@c.org` is only a part. */
const isWhole = (text: string, from: number, to: number): boolean =>
  !ENDS_INSIDE.test(text.slice(Math.max(0, from - 4), from)) && !BEGINS_INSIDE.test(text.slice(to, to + 4))

const ENDS_INSIDE = /[\p{L}\p{M}\p{N}_][.@\-+/\\:&=%~#?]?$/u
const BEGINS_INSIDE = /^[.@\-+/\\:&=%~#?]?[\p{L}\p{M}\p{N}_]/u
