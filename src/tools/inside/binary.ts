/** Bytes looked at before a file is taken for text. */
const SAMPLE = 8192

/** First bytes of kinds that people will recognise, in hexadecimal. */
const MAGIC: readonly (readonly [start: string, kind: string])[] = [
  ['89504e47', 'PNG image'],
  ['ffd8ff', 'JPEG image'],
  ['47494638', 'GIF image'],
  ['25504446', 'PDF document'],
  ['504b0304', 'ZIP archive'],
  ['1f8b', 'gzip archive'],
  ['7f454c46', 'ELF program'],
  ['53514c69746520', 'SQLite database'],
  ['fffe', 'UTF-16 text'],
  ['feff', 'UTF-16 text'],
]

/** What kind of binary file this is; undefined for text. A NUL near the beginning decides. */
export function binaryKind(content: Buffer): string | undefined {
  if (!content.subarray(0, SAMPLE).includes(0)) return undefined
  const start = content.subarray(0, 8).toString('hex')
  return MAGIC.find(([magic]) => start.startsWith(magic))?.[1] ?? 'unknown kind'
}
