import type { Language } from '../../core/language.ts'
import type { Prompts } from './prompts.ts'

/** One file for each language, loaded when it is used. */
const FILES: Readonly<Record<Language, () => Promise<Prompts>>> = {
  en: async () => (await import('./en.ts')).EN,
  ru: async () => (await import('./ru.ts')).RU,
  zh: async () => (await import('./zh.ts')).ZH,
}

const loaded = new Map<Language, Promise<Prompts>>()

/** Asked for by every run: looking up what was imported before would take longer than all else about its prompts. */
export function loadPrompts(language: Language): Promise<Prompts> {
  const prompts = loaded.get(language) ?? FILES[language]()
  loaded.set(language, prompts)
  return prompts
}
