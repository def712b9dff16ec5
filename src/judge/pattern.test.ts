import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TaoError } from '../core/error.ts'
import { readPattern } from './pattern.ts'

const found = (pattern: string, text: string): boolean => readPattern(pattern).problemIn(text) === undefined

test('a plain text is looked for as it is, whatever signs are in it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (pattern, before, after) => {
      fc.pre(!/^\/.+\/[a-z]*$/s.test(pattern))
      assert.ok(found(pattern, before + pattern + after))
    }),
  )
  assert.equal(found('a.c', 'abc'), false)
})

test('a regular expression stands between slashes, and its ends are those of lines', () => {
  assert.ok(found('/^OK \\(\\d+ tests\\)$/', 'running\nOK (12 tests)\n'))
  assert.ok(found('/ok/i', 'OK'))
  assert.equal(found('/^OK$/', 'NOT OK'), false)
})

test('patterns that cannot be read, or that anything would match, are refused at once', () => {
  for (const pattern of ['', '/(/', '/a/g', '/a/x'])
    assert.throws(
      () => readPattern(pattern),
      (error) => error instanceof TaoError && error.code === 'criterion',
    )
})

test('a text made to keep the expression busy for ever does not hold, and does not hang', () => {
  assert.match(
    readPattern('/^(a+)+$/', 20).problemIn(`${'a'.repeat(50_000)}b`) ?? '',
    /could not be searched .* within 20 ms/,
  )
})
