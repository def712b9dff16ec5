import { datesIn, knownDates, type WrittenDate } from './dates.ts'
import { identifiersIn, knownIdentifiers } from './identifiers.ts'
import { knownLinks, linksIn } from './links.ts'
import { knownNumbers, numbersIn, type WrittenNumber } from './numbers.ts'
import { knownQuotations, quotationsIn } from './quotations.ts'
import { blank, type Span } from './text.ts'

export type ClaimKind = 'link' | 'quotation' | 'date' | 'identifier' | 'number'

/** Something in an answer that can only be right when it was seen somewhere. */
export interface Claimed extends Span {
  readonly kind: ClaimKind
  readonly text: string
  readonly isGrounded: boolean
}

/** Looks at each link, quotation, date, identifier and number of an answer: does a source have it? In the order of the text. */
export function groundingOf(answer: string, sources: readonly string[]): Claimed[] {
  const text = withoutListMarks(answer)
  const links = linksIn(text)
  const withoutLinks = blank(text, links)
  const quotations = quotationsIn(withoutLinks)
  const prose = blank(withoutLinks, quotations)
  const dates = datesIn(prose)
  const withoutDates = blank(prose, dates)
  const identifiers = identifiersIn(withoutDates)
  const numbers = numbersIn(blank(withoutDates, identifiers), 'answer')
  return [
    ...claim('link', links, () => knownLinks(sources)),
    ...claim('quotation', quotations, () => knownQuotations(sources)),
    ...claim<WrittenDate>('date', dates, () => knownDates(sources)),
    ...claim('identifier', identifiers, () => knownIdentifiers(sources)),
    ...claim<WrittenNumber>('number', numbers, () => knownNumbers(sources)),
  ].sort((a, b) => a.start - b.start)
}

/** Sources are looked through only for kinds that the answer has. */
function claim<T extends Span & { readonly text: string }>(
  kind: ClaimKind,
  written: readonly T[],
  lookThrough: () => (each: T) => boolean,
): Claimed[] {
  if (written.length === 0) return []
  const isKnown = lookThrough()
  return written.map((each) => ({ kind, text: each.text, start: each.start, end: each.end, isGrounded: isKnown(each) }))
}

/** The number in front of a point of a list, or behind the word "step", counts what the answer itself tells. */
const withoutListMarks = (text: string): string =>
  text.replaceAll(/^[ \t]*\d{1,2}[.)](?=[ \t])|(?<!\p{L})(?:step|schritt|шаг) \d{1,2}(?=[:.)])/gimu, (mark) =>
    ' '.repeat(mark.length),
  )
