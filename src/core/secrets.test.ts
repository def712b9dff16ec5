import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { secretForms } from './secret-forms.ts'
import { type Masker, maskerFor } from './secrets.ts'

const KEY = 'sk-canary+7f3a/9c51"d2'

function masker(...values: readonly string[]): Masker {
  const made = maskerFor(values.map((value, at) => ({ name: `S${at}`, value })))
  assert.ok(made !== undefined)
  return made
}

const utf16 = (text: string): string => Buffer.from(text, 'utf16le').toString('latin1')

/** As others write a key; none of it is made by the code under test. */
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ['raw', KEY],
  ['percent-encoded', 'sk-canary%2B7f3a%2F9c51%22d2'],
  ['percent-encoded in lower case', 'sk-canary%2b7f3a%2f9c51%22d2'],
  ['JSON', String.raw`sk-canary+7f3a/9c51\"d2`],
  ['JSON with escaped slashes in JSON', String.raw`sk-canary+7f3a/9c51\\\"d2`],
  ['hex', Buffer.from(KEY).toString('hex')],
  ['HEX', Buffer.from(KEY).toString('hex').toUpperCase()],
  ['UTF-16', utf16(KEY)],
])

for (const [form, written] of WRITTEN)
  test(`a secret is masked when it is written as ${form}`, () => {
    assert.match(masker(KEY).mask(`<${written}>`), /^<\[secret:S0\]\0?>$/)
  })

// Wherever the value stands among other bytes: https://github.com/yc-software/qm/pull/80
test('a secret is masked in base64 and base64url behind any number of bytes', () => {
  for (const coding of ['base64', 'base64url'] as const)
    for (const before of ['', 'a', 'ab', 'abc', 'user:'])
      for (const after of ['', 'x', 'xy', 'xyz']) {
        const masked = masker(KEY).mask(Buffer.from(before + KEY + after).toString(coding))
        const [head = '', tail = ''] = masked.split('[secret:S0]')
        assert.ok(masked.includes('[secret:S0]'), `${coding} ${before}|${after}`)
        const left =
          Buffer.from(head, 'base64').length - before.length + Buffer.from(tail, 'base64').length - after.length
        assert.ok(left <= 2, `${masked} tells ${left} bytes`)
      }
})

test('several secrets are told apart, and of two that begin alike the longer one is meant', () => {
  const text = masker('first-secret', 'second-secret', 'first-secret-longer').mask(
    'first-secret-longer second-secret first-secret',
  )
  assert.equal(text, '[secret:S2] [secret:S1] [secret:S0]')
})

test('what holds no secret is the very same value, and data is looked through to its property names', () => {
  const clean = { a: ['b', { c: 1, d: null }], e: new Map() }
  assert.equal(masker(KEY).mask(clean), clean)
  assert.deepEqual(masker(KEY).mask({ [KEY]: [1, `x${KEY}`], same: true }), {
    '[secret:S0]': [1, 'x[secret:S0]'],
    same: true,
  })
  const own: unknown = JSON.parse(`{"__proto__": ${JSON.stringify(KEY)}}`)
  assert.equal(JSON.stringify(masker(KEY).mask(own)), '{"__proto__":"[secret:S0]"}')
})

test('a value that stands in ordinary text too is refused with a sentence', () => {
  assert.throws(
    () => maskerFor([{ name: 'PIN', value: 'letmein' }]),
    /^TaoError: The secret PIN has fewer than 8 characters/,
  )
  assert.equal(maskerFor([]), undefined)
})

const secret = fc
  .string({ unit: 'grapheme', minLength: 8, maxLength: 24 })
  .filter((text) => text.isWellFormed() && !/[[\]]/.test(text))

// https://github.com/OpenHands/OpenHands/issues/15720
test('wherever a stream is cut, it shows what the whole text shows, and holds back less than a secret', () => {
  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 3 }),
      fc.array(fc.oneof(fc.nat(200), fc.string({ maxLength: 6 })), { maxLength: 12 }),
      fc.array(fc.nat(400), { maxLength: 12 }),
      (values, parts, cuts) => {
        const forms = values.flatMap((value) => [...secretForms(value)])
        const text = parts
          .map((part) => (typeof part === 'string' ? part : (forms[part % forms.length] ?? '')))
          .join('')
        const mask = masker(...values)
        const stream = mask.openStream()
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
        const shown = places.slice(1).map((to, at) => stream.push(text.slice(places[at], to)))
        assert.equal(shown.join('') + stream.end(), mask.mask(text))
      },
    ),
  )
})

test('text that is no beginning of a secret is shown at once', () => {
  const stream = masker(KEY).openStream()
  assert.deepEqual(
    [stream.push('The answer is 42. s'), stream.push('k-canary'), stream.push(' bird')],
    ['The answer is 42. ', '', 'sk-canary bird'],
  )
})
