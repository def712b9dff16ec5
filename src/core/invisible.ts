/**
 * Characters that show nothing or turn the direction of writing: tags, bidi marks, zero-width characters, variation
 * selectors, fillers.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u

/** Where they can be: what is not ASCII, with the character in front that a keycap is made of. All else is only passed over. */
const NOT_ASCII = /[0-9#*]?[\u{80}-\u{10ffff}]+/gu

/** A whole emoji keeps what it is joined with; other invisible characters are matched one by one. */
const EMOJI_OR_INVISIBLE = /\p{RGI_Emoji}|[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gv

/**
 * Writes invisible characters as `⟨U+200B⟩`, so that a model and a person read the same text. They are not taken out: that
 * could make words which nobody wrote. Emoji stay whole. Characters that have a look, a terminal's controls included, stay.
 */
export function showInvisible(text: string): string {
  if (!INVISIBLE.test(text)) return text
  return text.replaceAll(NOT_ASCII, (run) =>
    run.replaceAll(EMOJI_OR_INVISIBLE, (found) => (isEmoji(found) ? found : codeOf(found))),
  )
}

/** An emoji never begins with an invisible character. */
const isEmoji = (found: string): boolean => !INVISIBLE.test(String.fromCodePoint(found.codePointAt(0) ?? 0))

const codeOf = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
