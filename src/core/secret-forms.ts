/** Every way in which a secret can stand in a text and be read back with ease, itself included. */
export function secretForms(value: string): ReadonlySet<string> {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const percent = encodeURIComponent(value)
  const base64 = [0, 1, 2].map((before) => base64Behind(before, bytes))
  return new Set([
    value,
    ...bothCases(percent),
    ...bothCases(encodeURI(value)),
    ...bothCases(percent.replaceAll('%20', '+')),
    ...bothCases(hex.replaceAll(/../g, '%$&')),
    ...insideJson([value], 3),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ...base64.flatMap((text) => bothCases(encodeURIComponent(text))),
    ...insideJson(base64, 1),
    ...[hex, hex.toUpperCase()],
    value.split('').join('\0'), // UTF-16, read as single bytes
  ])
}

/** JSON in JSON, to a depth. Some writers escape slashes too, and some keep to ASCII. */
function insideJson(texts: readonly string[], depth: number): string[] {
  const escaped = texts.flatMap((text) => {
    const usual = JSON.stringify(text).slice(1, -1)
    return [usual, usual.replaceAll('/', '\\/'), asciiOnly(usual)]
  })
  const distinct = [...new Set(escaped)]
  return depth === 1 ? distinct : [...distinct, ...insideJson(distinct, depth - 1)]
}

/** The digits of percent signs only: the rest of a value keeps its case. */
const bothCases = (text: string): string[] => [
  text,
  text.replaceAll(/%../g, (digits) => digits.toLowerCase()),
  text.replaceAll(/%../g, (digits) => digits.toUpperCase()),
]

const asciiOnly = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Base64 looks different after one and after two other bytes. What the bytes on either side decide is left out: three
 * characters at most of it are then seen.
 */
function base64Behind(before: number, bytes: Buffer): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
}
