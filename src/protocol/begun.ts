/** The end of the text; `$` would also mean the end of a line where a pattern knows lines. */
export const END = '(?![\\s\\S])'

/**
 * The source of a pattern for every beginning of what `atoms` match one after the other, up to the end of the text. An atom
 * is the source of a pattern for single characters: `o`, `[ \t]{0,2}`.
 */
export const begun = (atoms: readonly string[], rest = ''): string =>
  atoms.reduceRight((inner, atom) => `(?:${END}|${atom}${inner})`, rest)

/** The same for atoms, then one of some words, then atoms. Words hold no character that means something in a pattern. */
export function begunWords(before: readonly string[], words: readonly string[], after: readonly string[]): string {
  const rest = begun(after)
  return begun(before, `(?:${words.map((word) => begun([...word], rest)).join('|')})`) + END
}
