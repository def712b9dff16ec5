/** What models are spoken to in. */
export const LANGUAGES = ['en', 'ru', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * The language of a task, by its script: Cyrillic is `ru`, Han is `zh`, all else `en`. Commands and paths are Latin in every
 * language, so a task that begins in another script is in that one ("Запусти npm run test"). One that begins in Latin is in
 * what most of its words are: a path is one word, a Han character is one too, and a draw is not Latin.
 */
export function languageOf(text: string): Language {
  const [first = ''] = text.match(/\p{Letter}/u) ?? []
  const count = (words: RegExp): number => text.match(words)?.length ?? 0
  const latin = /\p{Script=Latin}/u.test(first) ? count(/\p{Script=Latin}[^\s\p{Script=Cyrillic}\p{Script=Han}]*/gu) : 0
  const cyrillic = count(/\p{Script=Cyrillic}+/gu)
  const han = count(/\p{Script=Han}/gu)
  const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
  if (cyrillic > 0 && cyrillic >= latin && cyrillic >= han) return 'ru'
  return han > 0 && han >= latin && !isJapanese ? 'zh' : 'en'
}
