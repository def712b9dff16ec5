/** A piece of a text, and where it stands. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The same text with these pieces blanked out, so that every other piece keeps its place. */
export function blank(text: string, spans: readonly Span[]): string {
  let result = text
  for (const { start, end } of spans) result = result.slice(0, start) + ' '.repeat(end - start) + result.slice(end)
  return result
}

/** One kind of white space, of quotation mark and of dash: what a text says, not how it is set. */
export const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\u2018\u2019\u201a\u2032]/g, "'")
    .replaceAll(/[\u201c-\u201f\u00ab\u00bb\u2033]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s+/g, ' ')

export const spanOf = (match: RegExpExecArray): Span => ({ start: match.index, end: match.index + match[0].length })
