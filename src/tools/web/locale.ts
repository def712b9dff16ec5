/** Where and in which language a search is made. */
export interface Locale {
  /** ISO 3166, lower case. */
  readonly country: string
  /** In English. */
  readonly place: string
  /** As Google names it. */
  readonly language: string
}

const ENGLISH: Locale = { country: 'us', place: 'United States', language: 'en' }

/** The first script that occurs decides. Japanese and Korean texts hold Chinese characters too, so they come first. */
const BY_SCRIPT: readonly (readonly [script: RegExp, locale: Locale])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, { country: 'jp', place: 'Japan', language: 'ja' }],
  [/\p{Script=Hangul}/u, { country: 'kr', place: 'South Korea', language: 'ko' }],
  [/\p{Script=Han}/u, { country: 'cn', place: 'China', language: 'zh-cn' }],
  [/\p{Script=Cyrillic}/u, { country: 'ru', place: 'Russia', language: 'ru' }],
  [/\p{Script=Greek}/u, { country: 'gr', place: 'Greece', language: 'el' }],
  [/\p{Script=Arabic}/u, { country: 'sa', place: 'Saudi Arabia', language: 'ar' }],
  [/\p{Script=Devanagari}/u, { country: 'in', place: 'India', language: 'hi' }],
]

/** By the script of the query; English for all others. A single Greek letter is a formula, not Greek. */
export function localeOf(query: string): Locale {
  const words = query.replaceAll(/(?<!\p{L})\p{Script=Greek}(?!\p{L})/gu, '')
  return BY_SCRIPT.find(([script]) => script.test(words))?.[1] ?? ENGLISH
}
