import type { Json } from '../../core/json.ts'
import { readLiteral, skipBlanks } from '../../core/python-literal.ts'
import { matchAt } from './scan.ts'

interface Reading {
  readonly value: Json
  readonly end: number
}

const DEEPEST = 32

/**
 * Reads a value as Gemma writes it: texts between quote tokens, bare keys, otherwise as in JSON. Undefined where it does not
 * fit, where keys are equal, or where it is nested too deep.
 */
export function readGemmaValue(text: string, start: number, quote: string, depth = 0): Reading | undefined {
  const at = skipBlanks(text, start)
  if (depth > DEEPEST) return undefined
  if (text.startsWith(quote, at)) return readQuoted(text, at, quote)
  if (text[at] === '{') return readObject(text, at, quote, depth)
  if (text[at] === '[') return readList(text, at, quote, depth)
  return text[at] === '(' ? undefined : readLiteral(text, at)
}

function readQuoted(text: string, start: number, quote: string): (Reading & { readonly value: string }) | undefined {
  const from = start + quote.length
  const end = text.indexOf(quote, from)
  return end === -1 ? undefined : { value: text.slice(from, end), end: end + quote.length }
}

function readObject(text: string, start: number, quote: string, depth: number): Reading | undefined {
  const entries = new Map<string, Json>()
  for (let at = skipBlanks(text, start + 1), open = true; at < text.length; at = skipBlanks(text, at)) {
    if (text[at] === '}') return { value: Object.fromEntries(entries), end: at + 1 }
    const key = readKey(text, at, quote)
    const colon = key === undefined ? at : skipBlanks(text, key.end)
    if (!open || key === undefined || text[colon] !== ':' || entries.has(key.value)) return undefined
    const read = readGemmaValue(text, colon + 1, quote, depth + 1)
    if (read === undefined) return undefined
    entries.set(key.value, read.value)
    at = skipBlanks(text, read.end)
    open = text[at] === ','
    if (open) at += 1
  }
  return undefined
}

function readKey(text: string, at: number, quote: string): (Reading & { readonly value: string }) | undefined {
  if (text.startsWith(quote, at)) return readQuoted(text, at, quote)
  const bare = matchAt(/[^\s:,{}[\]<>"']{1,256}/y, text, at)?.[0]
  return bare === undefined ? undefined : { value: bare, end: at + bare.length }
}

function readList(text: string, start: number, quote: string, depth: number): Reading | undefined {
  const values: Json[] = []
  for (let at = skipBlanks(text, start + 1), open = true; at < text.length; at = skipBlanks(text, at)) {
    if (text[at] === ']') return { value: values, end: at + 1 }
    const read = open ? readGemmaValue(text, at, quote, depth + 1) : undefined
    if (read === undefined) return undefined
    values.push(read.value)
    at = skipBlanks(text, read.end)
    open = text[at] === ','
    if (open) at += 1
  }
  return undefined
}
