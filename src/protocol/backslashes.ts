/** A text whose backslashes all begin an escape that JSON knows, or why it is not certain what they mean. */
export type Backslashes = { readonly text: string } | { readonly problem: string }

/**
 * Doubles each backslash that begins no escape, as in `"\d+"`: JSON5 and repairers would drop it and say nothing. In a string
 * that needs this, `\n` or `\\` may be as little meant as an escape (`C:\new`), and `\'` is read in two ways: then nobody knows.
 */
export function backslashesIn(text: string): Backslashes {
  let uncertain = false
  const doubled = text.replaceAll(STRING, (string) => {
    const escapes = string.match(ESCAPE) ?? []
    const isKnown = (each: string) => KNOWN.test(each) || each === `\\${string[0]}`
    if (escapes.every(isKnown)) return string
    if (escapes.some((each) => AMBIGUOUS.test(each))) uncertain = true
    return string.replaceAll(ESCAPE, (each) => (isKnown(each) ? each : `\\${each}`))
  })
  return uncertain ? { problem: UNCERTAIN } : { text: doubled }
}

const STRING = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/g
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|u[0-9a-fA-F]|[\s\S])/g
const KNOWN = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})$/
/** What JSON reads as a control character or one backslash, what only JavaScript reads, and the beginning of `\u0041`. */
const AMBIGUOUS = /^\\(?:[\\bfnrtvx0'\r\n]|u.)$/
const UNCERTAIN = 'it is not certain what the backslashes in it mean; write each backslash of a text as two'
