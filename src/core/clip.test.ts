import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clip, oneLine } from './clip.ts'

test('keeps the beginning and the end, and says how much is missing', () => {
  const { text, truncated } = clip(`${'a'.repeat(50)}${'b'.repeat(50)}`, 20)
  assert.equal(text, `${'a'.repeat(10)}\n[… 80 characters left out …]\n${'b'.repeat(10)}`)
  assert.equal(truncated, true)
})

// https://github.com/anthropics/claude-code/issues/7147
test('never leaves half of a surrogate pair, wherever it cuts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat({ max: 30 }), (text, limit) => {
      const clipped = clip(text, limit)
      assert.ok(clipped.text.isWellFormed())
      assert.equal(clipped.truncated, text.length > limit)
    }),
  )
})

test('a lone surrogate that came from elsewhere is replaced', () => {
  assert.equal(clip('a\ud800b', 10).text, 'a\ufffdb')
})

test('one line for people: white space folded, cut with an ellipsis', () => {
  assert.equal(oneLine('  a\n\tb  ', 10), 'a b')
  assert.equal(oneLine('abcdef', 4), 'abc…')
})
