/** What models write within the brackets of a tag before it ends. */
const BLANKS = ['', ' ', '\n', '\r\n', '\t']

/** Every writing of the tags that begin and end thinking. */
export const OPEN_THINK: readonly string[] = BLANKS.map((blank) => `<think${blank}>`)
export const CLOSE_THINK: readonly string[] = BLANKS.map((blank) => `</think${blank}>`)
