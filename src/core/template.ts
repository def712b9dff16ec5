import { TaoError } from './error.ts'
import { didYouMean } from './nearest.ts'

const PLACEHOLDER = /\{\{[ \t]*([\w-]*)[ \t]*\}\}/g

/** The names between `{{` and `}}` in a template, in their order. */
export const placeholdersIn = (template: string): string[] =>
  Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name)

/**
 * Puts values where `{{name}}` stands. What a value says is never read as a template. A paragraph whose placeholders all
 * stand for nothing is left out when it holds nothing else. Throws a `TaoError` for a placeholder without a value.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const filled = template.split(/\n(?:[ \t]*\n)+/).map((paragraph) =>
    paragraph.replaceAll(PLACEHOLDER, (_, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      if (value !== undefined) return value
      throw unknownPlaceholder(name, Object.keys(values))
    }),
  )
  return filled
    .filter((paragraph) => paragraph.trim() !== '')
    .join('\n\n')
    .trim()
}

function unknownPlaceholder(name: string, known: readonly string[]): TaoError {
  const message = `{{${name}}} is not a placeholder of this template. ${didYouMean(name, known)}`
  return new TaoError('template', message, {
    fix: `Placeholders: ${known.map((each) => `{{${each}}}`).join(', ')}.`,
  })
}
