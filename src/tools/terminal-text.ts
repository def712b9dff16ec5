/** Colours, cursor moves, titles and links: CSI and OSC sequences and their kin, begun by ESC or by one C1 character. */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]P^_X]|[\x9d\x90\x9e\x9f\x98])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g

/** What is left of control characters, except tab and line end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g

/**
 * What a terminal would show in the end: no colour codes, of a line drawn again and again only the last state, nothing
 * invisible that could redraw a terminal later.
 */
export function plainText(output: string): string {
  const text = output.replaceAll(SEQUENCES, '').replaceAll('\r\n', '\n')
  const lines = text.includes('\r') ? text.split('\n').map(lastDrawn).join('\n') : text
  return lines.replaceAll(CONTROLS, '')
}

function lastDrawn(line: string): string {
  return line.split('\r').findLast((part) => part !== '') ?? ''
}
