import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NO_USAGE } from '../core/usage.ts'
import { toToolResult } from './result-text.ts'

const circular: Record<string, unknown> = { name: 'a' }
circular.self = circular

// https://github.com/tylerjrbuell/reactive-agents-ts/issues/58 and https://github.com/openclaw/openclaw/pull/102731
const SHOWN: readonly [string, unknown, string][] = [
  ['a text', 'hello', 'hello'],
  ['an empty text', '', 'probe returned an empty text.'],
  ['undefined', undefined, 'probe finished and returned nothing.'],
  ['null', null, 'null'],
  ['a BigInt', 12345678901234567890n, '12345678901234567890'],
  ['a BigInt inside', { n: 1n }, '{"n":"1"}'],
  ['a number JSON cannot write', { n: Number.NaN }, '{"n":"NaN"}'],
  ['a circle', circular, '{"name":"a","self":"[the object it stands in]"}'],
  ['the same object twice, which is no circle', [[1], [1]], '[[1],[1]]'],
  ['a function', function probeIt() {}, '[function probeIt]'],
  ['a symbol', Symbol('s'), 'Symbol(s)'],
  ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  ['a map and a set', [new Map([['a', 1]]), new Set([1])], '[[["a",1]],[1]]'],
  ['a date and an invalid one', [new Date(0), new Date(Number.NaN)], '["1970-01-01T00:00:00.000Z","an invalid date"]'],
  ['text in a buffer', Buffer.from('häh'), 'häh'],
  ['bytes that are no text', Buffer.from([0, 255]), '[2 bytes that are not text]'],
  [
    'an object that has more than a result',
    { ok: true, text: 'a', status: 200 },
    '{"ok":true,"text":"a","status":200}',
  ],
  ['a usage that is none', { ok: true, text: 'a', usage: 'low' }, '{"ok":true,"text":"a","usage":"low"}'],
  [
    'a usage that would lower a count',
    { ok: true, text: 'a', usage: { ...NO_USAGE, output: -1 } },
    `{"ok":true,"text":"a","usage":${JSON.stringify({ ...NO_USAGE, output: -1 })}}`,
  ],
]
for (const [what, returned, text] of SHOWN)
  test(`shown as text: ${what}`, () => assert.equal(toToolResult('probe', returned).text, text))

test('an error that is returned is a failure', () => {
  assert.deepEqual(toToolResult('probe', new Error('boom')), { ok: false, text: 'probe failed: boom' })
})

test('getters, toJSON and proxies that throw spoil only what they stand for', () => {
  const hostile = {
    fine: 1,
    get bad() {
      throw new Error('no')
    },
    json: {
      toJSON() {
        throw 'never'
      },
    },
  }
  assert.equal(
    toToolResult('probe', hostile).text,
    '{"fine":1,"bad":"[cannot be read: no]","json":"[cannot be shown: never]"}',
  )
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  assert.match(toToolResult('probe', proxy).text, /cannot be shown/)
})

test('nesting without end is cut', () => {
  let deep: unknown = 'core'
  for (let i = 0; i < 10_000; i++) deep = [deep]
  assert.match(toToolResult('probe', deep).text, /nested too deep/)
})

test('anything becomes a text that is not empty', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
  })
  fc.assert(
    fc.property(anything, (value) => {
      const result = toToolResult('probe', value)
      assert.equal(typeof result.text, 'string')
      assert.notEqual(result.text, '')
    }),
  )
})
