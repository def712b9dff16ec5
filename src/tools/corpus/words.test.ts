import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTextIndex } from './text-index.ts'
import { indexed, matchOf } from './words.ts'

/** Whether a query finds a text. */
function finds(query: string, text: string): boolean {
  const index = openTextIndex(':memory:')
  index.add(new Map([['a', { title: '', text }]]))
  return index.search(query, 1).length === 1
}

const FOUND: readonly [what: string, query: string, text: string][] = [
  ['another form of a word', 'lengths', 'The length is 40 miles.'],
  ['another form of a Russian word', 'реки', 'В эту реку'],
  ['Russian without the dots of ё', 'черного', 'Чёрное море'],
  ['accents and case', 'RESUME', 'A résumé.'],
  ['two Chinese characters in a longer text', '长江', '中国的长江是一条河'],
  ['Chinese written without blanks, by any two of its characters', '长江长度', '河的长度是六千公里'],
  ['one Chinese character', '江', '长江'],
  ['wide letters and digits', 'ABC 12', 'ABC １２'],
  ['a number', '1974', 'in 1974.'],
  ['a word of two letters', 'EU', 'The EU and others'],
  ['a Japanese word', 'カタカナ', '日本語のカタカナです'],
]
for (const [what, query, text] of FOUND) test(`a search finds ${what}`, () => assert.ok(finds(query, text)))

const NOT_FOUND: readonly [what: string, query: string, text: string][] = [
  ['the middle of another word', 'art', 'party'],
  ['a part of a number', '197', '1974'],
  ['characters that stand apart', '长江', '长大的江'],
]
for (const [what, query, text] of NOT_FOUND)
  test(`a search does not find ${what}`, () => assert.ok(!finds(query, text)))

test('a query without a word is none', () => {
  assert.equal(matchOf(' "(*) '), undefined)
  assert.ok(!finds('"', 'a "quoted" text'))
})

test('no query breaks the index, whatever it holds', () => {
  const index = openTextIndex(':memory:')
  index.add(new Map([['a', { title: 'A title', text: 'Some text with words' }]]))
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (query) => void index.search(query, 3)))
  fc.assert(fc.property(fc.stringMatching(/^[A-Za-z]{3,12}$/), (word) => finds(word, `x ${word} y`)))
})

test('what is indexed is words with one blank between them', () => {
  assert.equal(indexed('  The “Ёлка”, 长江-3! '), ' the елка 长 江 3 ')
})
