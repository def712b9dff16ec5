/**
 * What a terminal obeys instead of showing, or shows as nothing: control characters, characters that turn the direction
 * of writing, invisible ones and those without a meaning. Tab and line feed are left alone.
 */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** A text that came from a model, a tool or a file, safe to print: what cannot be seen is written as an escape. */
export const printable = (text: string): string => text.replaceAll(HIDDEN, visible)

/** One line of JSON in which nothing is hidden either; it reads back as the same value. */
export const jsonLine = (value: unknown): string => JSON.stringify(value).replaceAll(HIDDEN, jsonEscape)

function visible(character: string): string {
  if (character === '\r') return '\\r'
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`
}

const jsonEscape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
