/** Texts that mean something to a protocol: a brace, or a tag, which begins with its only `<`. */
export interface Marks {
  readonly all: readonly string[]
  readonly pattern: RegExp
}

export const marksOf = (...all: readonly string[]): Marks => ({
  all,
  pattern: new RegExp(all.length === 0 ? '(?!)' : all.join('|').replace('{', '\\{'), 'g'),
})

export interface Found {
  /** Up to here the text holds no mark for certain. */
  readonly end: number
  /** The mark that stands there; undefined where none does, or one may when more comes. */
  readonly mark?: string
}

/** The first mark at or after `from`. */
export function findMark({ all, pattern }: Marks, text: string, from: number): Found {
  pattern.lastIndex = from
  const match = pattern.exec(text)
  if (match !== null) return { end: match.index, mark: match[0] }
  const last = text.lastIndexOf('<')
  const mayBe = last >= from && all.some((mark) => mark.startsWith(text.slice(last)))
  return { end: mayBe ? last : text.length }
}
