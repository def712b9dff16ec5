import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { saysDate } from './says-date.ts'
import { saysId, saysNumber, saysText, typedWords } from './words.ts'

const typed = (text: string) => typedWords([{ kind: 'typed', text }])
const says = (text: string, value: string) => saysText(typed(text), value)

describe('a text', () => {
  test('counts where it stands whole, in any case and spacing', () => {
    assert.ok(says('Write to ANNA  Smith, please.', 'Anna Smith'))
    assert.ok(says('Напиши Анне.', 'анне'))
    assert.ok(says('(see https://example.com/a)', 'https://example.com/a'))
  })

  test('does not count as a part of a word, an address or a path', () => {
    const parts: readonly [string, string][] = [
      ['Write to Annabel', 'Anna'],
      ['mail sarah.connor@example.com', 'connor@example.com'],
      ['mail bob@example.com.au', 'bob@example.com'],
      ['read https://example.com/a/b', 'https://example.com/a'],
      ['read docs/secret-plans.txt', 'plans.txt'],
      ['see example.com/login', 'example.com'],
    ]
    for (const [text, part] of parts) assert.equal(says(text, part), false, `${part} in ${text}`)
  })

  test('does not count across two messages', () => {
    const words = typedWords(['Write to Anna', 'Smith 2', '000'].map((text) => ({ kind: 'typed', text })))
    assert.equal(saysText(words, 'Anna Smith'), false)
    assert.equal(saysNumber(words, 2000), false)
  })

  test('is too short with two characters, and too long to be searched for with many', () => {
    assert.equal(says('go to it', 'it'), false)
    assert.equal(says('x'.repeat(20_000), 'x'.repeat(20_000)), false)
  })

  test('with hidden characters, wide look-alikes or mixed scripts is never the user’s', () => {
    const iban = 'GB29NWBK60161331926819'
    for (const written of [`GB29\u200bNWBK60161331926819`, `${iban}\u202e`, '\uff27B29NWBK60161331926819']) {
      assert.equal(says(`Pay ${iban}`, written), false, JSON.stringify(written))
      assert.equal(says(`Pay ${written}`, written), false, JSON.stringify(written))
    }
    assert.equal(says('Pay P\u0430ypal', 'P\u0430ypal'), false, 'a Cyrillic letter among Latin ones')
    assert.equal(says('pay Bob', `Bob${String.fromCodePoint(0xe0041)}`), false, 'a tag character')
  })

  test('is found wherever it was put between blanks, and never costs more than a moment', () => {
    const word = fc.stringMatching(/^[a-z]{3,12}$/)
    fc.assert(
      fc.property(word, fc.string(), fc.string(), (wanted, before, after) => {
        assert.ok(says(`${before} ; ${wanted} ; ${after}`, wanted))
      }),
    )
    assert.equal(says('a-'.repeat(5_000), 'a-'.repeat(100)), false)
  })
})

describe('a number', () => {
  const written = (text: string, value: number) => saysNumber(typed(text), value)

  test('is the same number however it is grouped', () => {
    for (const text of ['2000', '2,000', '2 000', '2\u00a0000', '2,000.00', 'exactly 2000.'])
      assert.ok(written(text, 2000), text)
    assert.ok(written('12,50 euros', 12.5))
    assert.ok(written('a fee of 5.29.', 5.29))
  })

  test('is not a part of a date, a time, an account or a larger number', () => {
    for (const [text, value] of [
      ['on 2024-05-19', 19],
      ['at 16:00', 16],
      ['GB29 and AB12', 29],
      ['2,000', 2],
      ['v1.2.3', 1.2],
    ] as const)
      assert.equal(written(text, value), false, `${value} in ${text}`)
  })
})

describe('an identifier', () => {
  const named = (text: string, value: string) => saysId(typed(text), 'file', value)

  test('counts where the user calls it one', () => {
    for (const text of ["the file with ID '13'.", 'delete id 13', 'file #13', 'file: 13', 'File 13, now'])
      assert.ok(named(text, '13'), text)
    assert.ok(named('open file:7', 'file:7'))
  })

  test('does not count where the same characters say something else', () => {
    for (const text of ['What do we do on June 13?', '13 files', 'paid 13', 'file 131', 'id 1 3'])
      assert.equal(named(text, '13'), false, text)
  })
})

describe('a date', () => {
  const said = (text: string, value: string) => saysDate(typed(text), value)

  test('counts as it is written, or by the name of its month', () => {
    assert.ok(said('on 2025-01-11', '2025-01-11'))
    assert.ok(said('from January 11th to January 15th 2025', '2025-01-11'))
    assert.ok(said('on the 13th of May 2024', '2024-05-13'))
    assert.ok(said('3 октября 2026 года', '2026-10-03'))
    assert.ok(said('on 2024-05-19 at 10:00 or at 16:00', '2024-05-19 16:00'))
  })

  test('does not count without its year, its time, or with another day', () => {
    assert.equal(said('on January 11th', '2025-01-11'), false)
    assert.equal(said('on 2024-05-19', '2024-05-19 16:00'), false)
    assert.equal(said('on January 11th 2025', '2025-01-01'), false)
  })
})
