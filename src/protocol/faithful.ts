/**
 * Whether a JSON text says exactly what was written loosely: each of its tokens stands in the writing, in order, and nothing
 * else stands there but spaces and comments. The writing may have other quotes, bare keys, Python's words, numbers as
 * JavaScript knows them, a comma too many at an end, and one too few where only a comma can be meant.
 */
export function isFaithful(written: string, json: string): boolean {
  const tokens = json.match(TOKEN) ?? []
  let at = skipSpace(written, 0)
  for (const [i, token] of tokens.entries()) {
    if (written[at] === ',' && isClosing(token) && i > 0 && !isOpening(tokens[i - 1])) at = skipSpace(written, at + 1)
    const end =
      token === ',' ? endOfComma(written, at, tokens, i) : endOfToken(written, at, token, tokens[i + 1] === ':')
    if (end === undefined) return false
    at = skipSpace(written, end)
  }
  return at === written.length
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/gs

const isOpening = (token = ''): boolean => token === '{' || token === '['
const isClosing = (token = ''): boolean => token === '}' || token === ']'

/** Spaces and comments. */
function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from
  return from + (SPACE.exec(text)?.[0].length ?? 0)
}
const SPACE = /(?:\s|\/\/[^\n]*|\/\*(?:(?!\*\/)[\s\S])*\*\/)*/y

/** A comma may be missing before a key or beside a bracket. Between two texts of a list it may as well be one text. */
function endOfComma(written: string, at: number, tokens: readonly string[], i: number): number | undefined {
  if (written[at] === ',') return at + 1
  return tokens[i + 2] === ':' || isClosing(tokens[i - 1]) || isOpening(tokens[i + 1]) ? at : undefined
}

function endOfToken(written: string, at: number, token: string, isKey: boolean): number | undefined {
  if (/^[{}[\]:]/.test(token)) return written[at] === token ? at + 1 : undefined
  const closing = QUOTES[written[at] ?? '']
  if (token[0] === '"' && closing !== undefined) return endOfText(written, at, JSON.parse(token) as string, closing)
  WORD.lastIndex = at
  const word = WORD.exec(written)?.[0]
  if (word === undefined) return undefined
  return (token[0] === '"' ? isKey && token === `"${word}"` : isSameWord(word, token)) ? at + word.length : undefined
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '‘': '’' }
const WORD = /[^\s{}[\]:,"'`/\\]+/y
const PYTHON: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' }

const isSameWord = (word: string, token: string): boolean =>
  word === token || PYTHON[word] === token || (/^[-+.\d]/.test(word) && Number(word) === Number(token))

/** From its quote at `at` on, the writing must say the text and then close. */
function endOfText(written: string, at: number, text: string, closing: string): number | undefined {
  let from = at + 1
  for (let i = 0; i < text.length; i++) {
    const unit = readUnit(written, from, closing)
    if (unit === undefined || unit.said !== text[i]) return undefined
    from += unit.length
  }
  return written[from] === closing ? from + 1 : undefined
}

/** What one character of a text says, or one escape: JSON's, or that of the quote itself. Undefined where it says nothing certain. */
function readUnit(written: string, at: number, closing: string): { said: string; length: number } | undefined {
  const char = written[at] ?? ''
  if (char === closing) return isInnerQuote(written, at) ? { said: char, length: 1 } : undefined
  if (char !== '\\') return { said: char, length: 1 }
  if (written[at + 1] === closing) return { said: closing, length: 2 }
  ESCAPE.lastIndex = at
  const found = ESCAPE.exec(written)?.[0]
  return found === undefined ? undefined : { said: JSON.parse(`"${found}"`) as string, length: found.length }
}
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** A quote without a backslash belongs to the text only where it could not be the end of it, or the beginning of the next. */
const isInnerQuote = (written: string, at: number): boolean =>
  !/^\s*(?:$|[,:}\]"'`“‘])/.test(written.slice(at + 1, at + 41)) &&
  !/[,{[]\s*$/.test(written.slice(Math.max(0, at - 40), at))
