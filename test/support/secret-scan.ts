/**
 * The encodings in which a key can be read in a text, by decoding whatever looks encoded in it: nothing here knows how Tao
 * writes a key down to find it.
 */
export function encodingsIn(text: string, key: string): string[] {
  return Object.entries(DECODERS).flatMap(([name, decode]) =>
    decode(text).some((read) => read.includes(key)) ? [name] : [],
  )
}

const DECODERS: Readonly<Record<string, (text: string) => string[]>> = {
  raw: (text) => [text],
  'UTF-16': (text) => [unescaped(unescaped(text)).replaceAll('\0', '')],
  percent: (text) => [
    text.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
  ],
  JSON: (text) => [unescaped(text), unescaped(unescaped(text)), unescaped(unescaped(unescaped(text)))],
  hex: (text) =>
    runsIn(text, /[0-9a-f]{16,}/gi).flatMap((run) =>
      [run, run.slice(1)].map((digits) => Buffer.from(digits, 'hex').toString('latin1')),
    ),
  base64: (text) =>
    runsIn(unescaped(text), /[\w+/-]{10,}/g).flatMap((run) =>
      [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString('latin1')),
    ),
}

const runsIn = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([run]) => run)

const unescaped = (text: string): string =>
  text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replaceAll(/\\(["\\/])/g, '$1')

/** The key as programs write it, one form to a line. */
export function writtenForms(key: string): string[] {
  const behind = (before: string) => Buffer.from(before + key)
  return [
    key,
    encodeURIComponent(key),
    JSON.stringify(key),
    JSON.stringify({ nested: JSON.stringify({ key }) }),
    JSON.stringify(key).replaceAll('/', '\\/'),
    ...['', 'a', 'ab', 'user:'].flatMap((before) => [
      behind(before).toString('base64'),
      behind(before).toString('base64url'),
    ]),
    Buffer.from(key).toString('hex'),
    Buffer.from(key).toString('hex').toUpperCase(),
    Buffer.from(key, 'utf16le').toString('latin1'),
  ]
}
