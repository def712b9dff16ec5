import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { precisionOf, readAnswers, recallOf, scoreOf } from '../../test/support/grounded-score.ts'
import { after, recorded } from '../../test/support/recorded.ts'
import { groundingOf } from './grounded/claims.ts'
import { grounded } from './grounded.ts'

test('says what of the answer stands nowhere, and takes the user’s words and every result as sources', async () => {
  const record = { words: ['Is 7 prime?'], calls: [recorded({ observation: '42 rows' })] }
  assert.equal((await grounded().check(after(record, '7 of 42 rows.'))).detail, '2 found, each of them observed')
  const { holds, detail } = await grounded().check(after(record, '7 of 43 rows, see https://example.com/x.'))
  assert.equal(holds, false)
  assert.equal(
    detail,
    'number "43": in no observation and not in the task\nlink "https://example.com/x": in no observation and not in the task',
  )
})

test('over the 60 answers it finds what it found before, and raises no more false alarms', () => {
  const answers = readAnswers()
  const score = scoreOf(answers)
  assert.equal(answers.length, 60)
  assert.ok(precisionOf(score) >= 0.96, score.falseAlarms.join('\n'))
  assert.ok(recallOf(score) >= 0.88, score.missed.join('\n'))
})

test('what was observed word for word raises no alarm', () => {
  const word = fc.oneof(
    fc.float({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
    fc.webUrl(),
    fc.uuid(),
    fc.stringMatching(/^[a-z]{1,8}(_[a-z]{1,8}|\.ts|\/[a-z]{1,5}\.py)?$/),
    fc.stringMatching(/^"[a-z ]{2,20}"$/),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const text = words.join(' ')
      assert.deepEqual(
        groundingOf(text, [text]).filter(({ isGrounded }) => !isGrounded),
        [],
        text,
      )
    }),
    { numRuns: 1_000 },
  )
})

test('whatever the answer, it is read in order, within its bounds and soon', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (answer, source) => {
      let last = 0
      for (const { start, end } of groundingOf(answer, [source])) {
        assert.ok(start >= last && end > start && end <= answer.length)
        last = start
      }
    }),
    { numRuns: 1_000 },
  )
  for (const unit of ['_', 'a/', '1.', '1,234', '"', "'a", '1:', 'a.b@'])
    groundingOf(unit.repeat(6_000), [unit.repeat(6_000)])
})
