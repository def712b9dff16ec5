import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { capture } from './capture.ts'

function feed(bytes: Uint8Array, cuts: readonly number[], keep: number) {
  const captured = capture(keep)
  let from = 0
  for (const cut of [...cuts].map((n) => n % (bytes.length + 1)).sort((a, b) => a - b)) {
    captured.push(bytes.subarray(from, cut))
    from = cut
  }
  captured.push(bytes.subarray(from))
  return captured.finish()
}

const anyText = fc.string({ unit: 'binary', maxLength: 300 }).map((text) => text.toWellFormed())

// https://github.com/use-agent-os/agent-os/pull/1548
test('text comes out as it went in, however it is cut into pieces', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(2000)), (text, cuts) => {
      const bytes = Buffer.from(text)
      assert.deepEqual(feed(bytes, cuts, 4000), { text, bytes: bytes.length, truncated: false })
    }),
  )
})

test('pieces never change the result, also for bytes that are no text and for long ones', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.array(fc.nat(500)), fc.nat(100), (bytes, cuts, keep) => {
      assert.deepEqual(feed(bytes, cuts, keep), feed(bytes, [], keep))
    }),
  )
})

test('a long text keeps its ends, all bytes are counted, and no character is cut in two', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(2000)), fc.integer({ min: 8, max: 60 }), (text, cuts, keep) => {
      const bytes = Buffer.from(text)
      fc.pre(bytes.length > keep)
      const { text: kept, truncated, bytes: counted } = feed(bytes, cuts, keep)
      assert.equal(truncated, true)
      assert.equal(counted, bytes.length)
      const [first, last] = kept.split(`\n[… ${bytes.length - keep} bytes left out …]\n`)
      assert.ok(text.startsWith(first ?? '?') && text.endsWith(last ?? '?'))
      assert.ok(Buffer.byteLength(first ?? '') > Math.ceil(keep / 2) - 4)
      assert.ok(Buffer.byteLength(last ?? '') > Math.floor(keep / 2) - 4)
    }),
  )
})

test('memory stays bounded: small pieces of a long stream are not collected', () => {
  const captured = capture(1000)
  const piece = Buffer.alloc(1 << 16, 'x').subarray(0, 3)
  for (let i = 0; i < 100_000; i++) captured.push(piece)
  const { text, bytes } = captured.finish()
  assert.equal(bytes, 300_000)
  assert.ok(text.length < 1100)
})

test('a byte order mark is text like any other', () => {
  assert.equal(feed(Buffer.from('\uFEFFa'), [1, 2], 10).text, '\uFEFFa')
})
