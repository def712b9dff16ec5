/**
 * Characters that show nothing or turn the direction of writing: tags, bidi marks, zero-width characters, variation
 * selectors, fillers.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u

/** Where they can be: what is not ASCII, with the character in front that a keycap is made of. All else is only passed over. */
const NOT_ASCII = /[0-9#*]?[\u{80}-\u{10ffff}]+/gu

/**
 * Writes invisible characters as `⟨U+200B⟩`, so that a model and a person read the same text. They are not taken out: that
 * could make words which nobody wrote. Emoji stay whole. Characters that have a look, a terminal's controls included, stay.
 */
export const showInvisible = (text: string): string =>
  INVISIBLE.test(text) ? replaceUnseen(text, INVISIBLE, codeOf) : text

/**
 * Writes each character beyond ASCII that `unseen` matches in another way. Whole emoji keep what they are joined with.
 * `unseen` has the flag `u` and no `g`.
 */
export function replaceUnseen(text: string, unseen: RegExp, write: (character: string) => string): string {
  return text.replaceAll(NOT_ASCII, (run) =>
    run.replaceAll(emojiOr(unseen), (found) => (isEmoji(found, unseen) ? found : write(found))),
  )
}

const patterns = new Map<string, RegExp>()

/** Made when the first such character comes: with all emoji in it, it takes longer to make than a run to start. */
function emojiOr({ source }: RegExp): RegExp {
  const pattern = patterns.get(source) ?? new RegExp(`\\p{RGI_Emoji}|${source}`, 'gv')
  patterns.set(source, pattern)
  return pattern
}

/** An emoji never begins with a character that cannot be seen. */
const isEmoji = (found: string, unseen: RegExp): boolean =>
  !unseen.test(String.fromCodePoint(found.codePointAt(0) ?? 0))

const codeOf = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
