import { oneLine } from '../core/clip.ts'
import { replaceUnseen } from '../core/invisible.ts'

/**
 * What a terminal obeys instead of showing, or shows as nothing: control characters, characters that turn the direction
 * of writing, invisible ones and those without a meaning. Tab and line feed are left alone.
 */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gu')

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ASCII_HIDDEN = /[\0-\x08\x0b-\x1f\x7f]/g

/**
 * A text that came from a model, a tool or a file, safe to print: what cannot be seen is written as an escape. Whole emoji keep
 * what they are joined with.
 */
export const printable = (text: string): string =>
  replaceUnseen(text.replaceAll(ASCII_HIDDEN, visible), HIDDEN, visible)

/** Characters of a line about one thing. */
export const WIDTH = 110

/** One line of at most `limit` characters, safe to print. */
export const short = (text: string, limit = WIDTH): string => printable(oneLine(text, limit))

/** One line of JSON in which nothing is hidden either; it reads back as the same value. */
export const jsonLine = (value: unknown): string => JSON.stringify(value).replaceAll(EVERY_HIDDEN, jsonEscape)

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
