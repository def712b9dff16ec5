import type { Json } from './json.ts'

/** A value and where it ends in the text. */
export interface LiteralReading {
  readonly value: Json
  readonly end: number
}

type StringReading = LiteralReading & { readonly value: string }

const DEEPEST = 32

/**
 * Reads the Python literal that begins at `start`: texts, numbers, True, False, None, lists, tuples, sets, dicts; the words
 * of JSON too. Undefined for everything else: bytes, formatted texts, names, sums, equal keys, numbers that cannot be held
 * exactly. A quote that stands unescaped in a text of its own kind is read where only one reading fits. Time is linear.
 */
export function readLiteral(text: string, start: number, depth = 0): LiteralReading | undefined {
  const at = skipBlanks(text, start)
  const first = text[at]
  if (first === undefined || depth > DEEPEST) return undefined
  if (isQuote(first)) return readString(text, at)
  if (first === '[' || first === '(') return readList(text, at, depth)
  if (first === '{') return isDict(text, at) ? readDict(text, at, depth) : readList(text, at, depth)
  return readWord(text, at) ?? readNumber(text, at)
}

/** The value of a text that is one literal and nothing else. */
export function literalIn(text: string): Json | undefined {
  const read = readLiteral(text, 0)
  return read !== undefined && skipBlanks(text, read.end) === text.length ? read.value : undefined
}

export function skipBlanks(text: string, start: number): number {
  let at = start
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1
  return at
}

const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['null', null],
])

function readWord(text: string, at: number): LiteralReading | undefined {
  const word = matchAt(/[A-Za-z]+(?![\w.(])/y, text, at)
  const value = word === undefined ? undefined : WORDS.get(word)
  return word === undefined || value === undefined ? undefined : { value, end: at + word.length }
}

function readNumber(text: string, at: number): LiteralReading | undefined {
  const token = matchAt(/[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y, text, at)
  if (token === undefined || /^[+-]?0\d/.test(token)) return undefined
  const value = Number(token)
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  return isExact ? { value, end: at + token.length } : undefined
}

function readList(text: string, start: number, depth: number): LiteralReading | undefined {
  const close = { '[': ']', '(': ')', '{': '}' }[text.charAt(start)] ?? ''
  const values: Json[] = []
  let commas = 0
  for (let at = skipBlanks(text, start + 1); at < text.length; at = skipBlanks(text, at)) {
    if (text[at] === close) {
      const isParenthesis = close === ')' && values.length === 1 && commas === 0
      return { value: isParenthesis ? (values[0] ?? null) : values, end: at + 1 }
    }
    if (values.length > commas) return undefined
    const read = readLiteral(text, at, depth + 1)
    if (read === undefined) return undefined
    values.push(read.value)
    at = skipBlanks(text, read.end)
    if (text[at] === ',') {
      commas += 1
      at += 1
    }
  }
  return undefined
}

/** Braces hold a dict when nothing stands in them, or a text with a colon behind it; otherwise a set. */
function isDict(text: string, start: number): boolean {
  const at = skipBlanks(text, start + 1)
  if (text[at] === '}') return true
  const key = isQuote(text[at]) ? readString(text, at) : undefined
  return key !== undefined && text[skipBlanks(text, key.end)] === ':'
}

const isQuote = (char: string | undefined): boolean => char === '"' || char === "'"

function readDict(text: string, start: number, depth: number): LiteralReading | undefined {
  const entries = new Map<string, Json>()
  for (let at = skipBlanks(text, start + 1), open = true; at < text.length; at = skipBlanks(text, at)) {
    if (text[at] === '}') return { value: Object.fromEntries(entries), end: at + 1 }
    if (!open) return undefined
    const key = isQuote(text[at]) ? readString(text, at) : undefined
    const colon = key === undefined ? -1 : skipBlanks(text, key.end)
    if (key === undefined || text[colon] !== ':' || entries.has(key.value)) return undefined
    const read = readLiteral(text, colon + 1, depth + 1)
    if (read === undefined) return undefined
    entries.set(key.value, read.value)
    at = skipBlanks(text, read.end)
    open = text[at] === ','
    if (open) at += 1
  }
  return undefined
}

/**
 * A text ends at a quote of its own kind behind which a value can end. Where another text or a sum may begin behind it,
 * nothing is certain.
 */
function readString(text: string, start: number): StringReading | undefined {
  const quote = text.charAt(start)
  const triple = quote.repeat(3)
  const isTriple = text.startsWith(triple, start)
  const pieces: string[] = []
  for (let at = start + (isTriple ? 3 : 1), from = at; at < text.length; at++) {
    if (text[at] === '\\') {
      const escaped = readEscape(text, at)
      if (escaped === undefined) return undefined
      pieces.push(text.slice(from, at), escaped.value)
      at = escaped.end - 1
      from = escaped.end
    } else if (isTriple ? text.startsWith(triple, at) : text[at] === quote) {
      const end = at + (isTriple ? 3 : 1)
      const next = text.charAt(skipBlanks(text, end))
      if (isTriple || next === '' || ',)]}:'.includes(next))
        return { value: pieces.join('') + text.slice(from, at), end }
      if (`"'+*%.`.includes(next)) return undefined
    }
  }
  return undefined
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\x07', '\\': '\\', "'": "'", '"': '"' }),
)

/** An escape that Python does not know keeps its backslash, as in Python. */
function readEscape(text: string, at: number): { readonly value: string; readonly end: number } | undefined {
  const letter = text.charAt(at + 1)
  const simple = ESCAPES.get(letter)
  if (simple !== undefined) return { value: simple, end: at + 2 }
  if (letter === '\n') return { value: '', end: at + 2 }
  const digits = { x: 2, u: 4, U: 8 }[letter]
  if (digits === undefined) return /[0-7N]/.test(letter) ? undefined : { value: '\\', end: at + 1 }
  const code = text.slice(at + 2, at + 2 + digits)
  const point = /^[0-9A-Fa-f]+$/.test(code) && code.length === digits ? Number.parseInt(code, 16) : Infinity
  return point > 0x10ffff ? undefined : { value: String.fromCodePoint(point), end: at + 2 + digits }
}

/** What a sticky pattern matches at this place. */
function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
