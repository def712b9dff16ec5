import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { excerpt } from './excerpt.ts'

const filler = (count: number): string =>
  Array.from({ length: count }, (_, i) => `Paragraph ${i} is about hills and trees.`).join('\n\n')

test('a short text is shown whole', () => assert.equal(excerpt('a\n\nb', 'goal', 100), 'a\n\nb'))

test('of a long text the passages with the words of the goal are shown, in their order, with marks for the rest', () => {
  const page = `${filler(50)}\n\nThe river is forty miles long.\n\n${filler(50)}\n\nA longer river flows south.\n\n${filler(50)}`
  const shown = excerpt(page, 'How long is the river?', 90)
  assert.equal(shown, '[…]\n\nThe river is forty miles long.\n\n[…]\n\nA longer river flows south.\n\n[…]')
})

test('rare words count for more than those which stand everywhere', () => {
  const page = `${filler(80)}\n\nThe Zambezi.\n\n${filler(80)}`
  assert.match(excerpt(page, 'hills and trees of the Zambezi', 200), /The Zambezi\./)
})

test('Chinese and Japanese goals are found by pairs of characters', () => {
  const page = `${'这一段说的是山和树。\n\n'.repeat(100)}长江全长六千公里。\n\n${'这一段说的是山和树。\n\n'.repeat(100)}`
  assert.match(excerpt(page, '长江有多长', 100), /长江全长六千公里/)
})

test('where no word of the goal is found, the beginning is shown', () => {
  assert.match(excerpt(filler(100), 'quantum', 200), /^Paragraph 0 [\s\S]*\[…\]$/)
})

test('a paragraph without end is cut at sentences, and never between halves of a character', () => {
  const shown = excerpt('The river bends. '.repeat(2_000), 'river', 2_000)
  assert.match(shown, /^The river bends\. [\s\S]*bends\.\n\n\[…\]$/)
  assert.ok(excerpt('🙂'.repeat(3_000), 'x', 1_000).isWellFormed())
})

test('an excerpt is never longer than its limit and two marks', () => {
  const word = fc.constantFrom('river ', 'hill. ', '\n\n', 'x'.repeat(300), '河', '🙂')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 200 }), (words) => {
      const page = words.join('')
      assert.ok(excerpt(page, 'river 河流', 1_000).length <= 1_000 + 14)
    }),
    { numRuns: 50 },
  )
})

test('where there is little room, a passage is as long as there is room for', () => {
  const text = `${'The hill is green. '.repeat(60)}The river is 40 miles long. ${'The sky is blue. '.repeat(60)}`
  const shown = excerpt(text, 'length of the river in miles', 200)
  assert.match(shown, /The river is 40 miles long\./)
  assert.ok(shown.length <= 220)
})
