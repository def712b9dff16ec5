import type { Language } from '../../core/language.ts'
import type { Prompts } from './prompts.ts'

/** One file for each language, loaded when it is used. */
const FILES: Readonly<Record<Language, () => Promise<Prompts>>> = {
  en: async () => (await import('./en.ts')).EN,
  ru: async () => (await import('./ru.ts')).RU,
  zh: async () => (await import('./zh.ts')).ZH,
}

export const loadPrompts = (language: Language): Promise<Prompts> => FILES[language]()
