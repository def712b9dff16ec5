import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDuration } from './duration.ts'

test('a length of time is read with its unit', () => {
  const read = ['500ms', '90s', '10m', '1.5h', ' 2 s '].map(parseDuration)
  assert.deepEqual(read, [500, 90_000, 600_000, 5_400_000, 2_000])
})

test('what says no length of time above 0 is refused', () => {
  for (const text of ['', '10', '0s', '-5m', '0.1ms', '5 min', 'm', '1e3s', '99999999999999999h', 'NaN s', '٣m'])
    assert.equal(parseDuration(text), undefined, text)
})

test('any text gives a safe whole number above 0 or nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{0,25}\.?\d{0,5}(ms|s|m|h)$/)), (text) => {
      const read = parseDuration(text)
      assert.ok(read === undefined || (Number.isSafeInteger(read) && read > 0))
    }),
  )
})
