import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSize } from './size.ts'

test('a size is a number and its unit, in powers of 1024', () => {
  const sizes = { '4096B': 4096, '64KB': 65_536, '1.5 MB': 1_572_864, '2GB': 2 ** 31, '1tb': 2 ** 40, ' 1KB ': 1024 }
  for (const [text, bytes] of Object.entries(sizes)) assert.equal(parseSize(text), bytes, text)
})

test('what says no size above 0 is none', () => {
  for (const text of ['', '5', '0MB', '0.0001B', '-1KB', '1e3KB', 'KB', '1PB', '99999999TB'])
    assert.equal(parseSize(text), undefined, text)
})
