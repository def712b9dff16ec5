import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holm, mean, meanKnown, passAtK, shareOf, signTest, wilson } from './shares.ts'

const rounded = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.round(value * 1e4) / 1e4

test("an interval is Wilson's: 8 of 10 is 0.4902 to 0.9433, and 0 of 10 is not certain to be none", () => {
  const { share, low, high, of } = shareOf(8, 10)
  assert.deepEqual([share, rounded(low), rounded(high), of], [0.8, 0.4902, 0.9433, 10])
  const none = shareOf(0, 10)
  assert.deepEqual([none.share, rounded(none.low), rounded(none.high)], [0, 0, 0.2775])
})

test('a share of nothing is not known, and neither is a mean', () => {
  assert.deepEqual(shareOf(0, 0), { of: 0 })
  assert.deepEqual(wilson(undefined, 5), { of: 5 })
  assert.deepEqual([mean([]), meanKnown([undefined]), meanKnown([1, undefined, 2])], [undefined, undefined, 1.5])
})

test('an interval lies in 0 to 1 and holds its share', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 1e6 }), (share, of) => {
      const { low = NaN, high = NaN } = wilson(share, of)
      assert.ok(0 <= low && low <= share + 1e-9 && share - 1e-9 <= high && high <= 1)
    }),
  )
})

test('Pass@k is the chance that one of k drawn attempts is right', () => {
  assert.equal(rounded(passAtK(3, 1, 1)), 0.3333)
  assert.equal(rounded(passAtK(3, 1, 2)), 0.6667) // 1 - C(2,2) / C(3,2)
  assert.equal(rounded(passAtK(4, 2, 2)), 0.8333) // 1 - C(2,2) / C(4,2)
  assert.deepEqual([passAtK(3, 0, 3), passAtK(3, 1, 3), passAtK(3, 3, 1)], [0, 1, 1])
})

test('the sign test is two-sided and exact', () => {
  assert.equal(rounded(signTest(5, 0)), 0.0625) // 2 / 2^5
  assert.equal(rounded(signTest(8, 2)), 0.1094) // 2 (1 + 10 + 45) / 2^10
  assert.equal(rounded(signTest(2, 8)), 0.1094)
  assert.deepEqual([signTest(0, 0), signTest(4, 4)], [1, 1])
  const many = signTest(3_000, 2_000)
  assert.ok(many > 0 && many < 1e-40)
})

test("Holm's values keep their order, are at most 1, and stay where they were found", () => {
  // 0.01 · 4, 0.02 · 3, 0.03 · 2 (not below the one before), 0.5 · 1
  assert.deepEqual(
    holm([0.5, 0.01, 0.03, 0.02]).map((p) => rounded(p)),
    [0.5, 0.04, 0.06, 0.06],
  )
  assert.deepEqual([holm([]), holm([0.2]), holm([0.6, 0.7])], [[], [0.2], [1, 1]])
})
