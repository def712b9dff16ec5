import { findWhole } from './quotations.ts'
import { plain, type Span, spanOf } from './text.ts'

export interface WrittenIdentifier extends Span {
  readonly text: string
}

const TOKEN = /[\p{L}\p{N}_$@#/~][\p{L}\p{N}_$@#./\\:~+-]*/gu

/** A name of something: a path, a file, a key, a hash, a version, an address. Words with a hyphen, and units behind a number, are none. */
const IDENTIFIER: readonly RegExp[] = [
  /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/, // an address for mail
  /^[$#@]?\w*[a-z0-9]_\w*$|^[A-Z0-9]+(?:_[A-Z0-9]+)+$/i, // snake_case
  /^[$#@]?[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/, // camelCase
  /^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+$/, // PascalCase
  /^v\d+(?:\.\d+)*(?:-[\w.]+)?$|^(?!\d{1,3}(?:\.\d{3})+$)\d+\.\d+\.\d+(?:[.-][\w.]+)?$/, // a version, an address of a machine; no number in groups
  /^[0-9a-f]{7,}$/i, // a hash
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, // a UUID
  /^[A-Z]{1,10}-?\d+(?:-[A-Z0-9]+)*$/, // ABC-123
  /^(?:~|\.{1,2})?\/?(?:[\w.@-]+\/)*[\w.@-]+\.[A-Za-z]\w{0,5}$/, // a file
  /^(?:~|\.{1,2})?\/(?:[\w.@-]+\/)*[\w.@-]+\/?$|^(?:[\w.@-]+\/){2,}[\w.@-]*$/, // a path
]

/** Brands that are written like names in code. */
const WORDS = new Set([
  'Node.js',
  'TypeScript',
  'JavaScript',
  'GitHub',
  'GitLab',
  'PostgreSQL',
  'iPhone',
  'macOS',
  'eBay',
  'YouTube',
  'OpenAI',
  'LinkedIn',
  'PowerPoint',
  'WebSocket',
  'PayPal',
])
const ABBREVIATION = /^(?:\p{L}\.)+\p{L}?$|^(?:e\.g|i\.e|z\.B|d\.h|a\.m|p\.m|т\.е|т\.д)\.?$/iu

/** Every identifier of a text. */
export function identifiersIn(text: string): WrittenIdentifier[] {
  return Array.from(text.matchAll(TOKEN), (match) => {
    const name = match[0].replace(/(?:[.:/\\+-]|\(\))+$/u, '').replace(/:\d+(?::\d+)?$/, '')
    const { start } = spanOf(match)
    return { start, end: start + name.length, text: name }
  }).filter(({ text: name }) => isIdentifier(name))
}

/** Nothing so long is a word; and what matches it would be looked for too long. */
const LONGEST_WORD = 300

const isIdentifier = (name: string): boolean =>
  name.length > LONGEST_WORD ||
  (name.length > 1 &&
    !WORDS.has(name) &&
    !ABBREVIATION.test(name) &&
    !/^\d+$/.test(name) &&
    IDENTIFIER.some((expression) => expression.test(name)))

const SHORT_HASH = /^[0-9a-f]{7,39}$/i

/** Says of an identifier whether a source has it, letter for letter, as a whole name or at the end of a path. A hash may be cut short. */
export function knownIdentifiers(sources: readonly string[]): (written: WrittenIdentifier) => boolean {
  const texts = sources.map(plain)
  return ({ text }) =>
    texts.some((source) => findWhole(text, source) !== -1 || (SHORT_HASH.test(text) && beginsHash(text, source)))
}

const beginsHash = (text: string, source: string): boolean =>
  new RegExp(`(?<![0-9a-f])${text}[0-9a-f]{1,57}(?![0-9a-f])`, 'i').test(source)
