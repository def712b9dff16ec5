const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
const TOKEN = new RegExp(String.raw`${UNSPACED}|(?:(?!${UNSPACED})[\p{L}\p{N}])+`, 'gu')
const RUN = new RegExp(String.raw`(?:${UNSPACED})+|(?:(?!${UNSPACED})[\p{L}\p{N}])+`, 'gu')
const IS_UNSPACED = new RegExp(UNSPACED, 'u')

/*
 * How texts and queries meet in an index of all their three characters in a row. A text is written as its words with one blank
 * between them, and a script without blanks with one between all its characters. So three characters in a row are two
 * neighbours of such a script, or the beginning of a word, or a part of one, and words of one letter can be found too.
 */

export const indexed = (text: string): string => ` ${(plain(text).match(TOKEN) ?? []).join(' ')} `

/**
 * What is looked for, as a query of FTS5: any of the words, the beginning of longer ones, so that their other forms are found
 * too. Undefined for a query without a word.
 */
export function matchOf(query: string): string | undefined {
  const terms = new Set((plain(query).match(RUN) ?? []).flatMap(termsOf))
  return terms.size === 0 ? undefined : [...terms].map((term) => `"${term}"`).join(' OR ')
}

/** Without case, accents and the two widths of letters. */
const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

function termsOf(run: string): string[] {
  if (!IS_UNSPACED.test(run)) return [` ${beginningOf(run)}`]
  const characters = [...run]
  if (characters.length === 1) return [` ${run} `]
  return characters.slice(1).map((character, at) => `${characters[at]} ${character}`)
}

function beginningOf(word: string): string {
  if (word.length < 3 || /\d/.test(word)) return `${word} `
  return word.slice(0, Math.max(3, word.length - 2))
}
