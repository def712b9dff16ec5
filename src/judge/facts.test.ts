import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { after, known, recorded } from '../../test/support/recorded.ts'
import { TaoError } from '../core/error.ts'
import type { FactSource, KnownFact } from '../core/known-fact.ts'
import { fact } from './fact.ts'
import { answerFrom, expectFacts } from './fact-answer.ts'
import { declareFacts } from './facts.ts'
import { addFact, factNamed } from './known-facts.ts'

const readOne = (source: Partial<FactSource>, call: Parameters<typeof recorded>[0]) =>
  declareFacts([{ name: 'total', from: [{ tool: 'look', ...source }] }]).read(recorded(call))[0]?.value

describe('an observation establishes a fact', () => {
  test('where its pattern finds the value: the group "value", the first group, or all of it', () => {
    const observation = 'rows: 7, total: 42'
    assert.equal(readOne({ pattern: '/total: (\\d+)/' }, { observation }), '42')
    assert.equal(readOne({ pattern: '/(rows).*total: (?<value>\\d+)/' }, { observation }), '42')
    assert.equal(readOne({ pattern: '/total: \\d+/' }, { observation }), 'total: 42')
    assert.equal(readOne({ pattern: '/sum: (\\d+)/' }, { observation }), undefined)
  })

  test('where its path leads to a value in a JSON result', () => {
    const observation = '{"items":[{"id":7,"ok":true}],"name":"x"}'
    assert.equal(readOne({ path: 'items[0].id' }, { observation }), 7)
    assert.equal(readOne({ path: 'items[0].ok' }, { observation }), true)
    for (const path of ['items[1].id', 'items', 'name.length', 'constructor', 'items[0].id.x'])
      assert.equal(readOne({ path }, { observation }), undefined, path)
    assert.equal(readOne({ path: 'name' }, { observation: 'name: x' }), undefined)
  })

  test('only when the call succeeded and was the one that was meant', () => {
    const source = { pattern: '/(\\d+)/', with: { key: 'a' } }
    const call = { observation: '42', arguments: { key: 'a' } }
    assert.equal(readOne(source, call), '42')
    assert.equal(readOne(source, { ...call, ok: false }), undefined)
    assert.equal(readOne(source, { ...call, arguments: { key: 'b' } }), undefined)
    assert.equal(readOne(source, { ...call, name: 'guess' }), undefined)
  })

  test('a source without one way to the value, or with a path that cannot be read, is refused', () => {
    for (const source of [{}, { pattern: '/a/', path: 'a' }, { path: '$..a' }, { path: 'a[b]' }, { pattern: '/(/' }])
      assert.throws(() => readOne(source, {}), TaoError, JSON.stringify(source))
  })
})

describe('of two observations', () => {
  const fold = (...facts: readonly KnownFact[]) => factNamed('total', facts.reduce(addFact, []))

  test('the newer one of the same source takes the place of the older one', () => {
    assert.deepEqual(fold(known(), known({ value: '43', from: 9 })), {
      state: 'known',
      known: known({ value: '43', from: 9 }),
    })
  })

  test('of different sources that agree, the newest is the proof', () => {
    const newer = known({ source: 'count {}', from: 9 })
    assert.deepEqual(fold(newer, known()), { state: 'known', known: newer })
  })

  test('of different sources that disagree, neither is known until they agree', () => {
    const other = known({ source: 'count {}', value: '43', from: 9 })
    assert.equal(fold(known(), other).state, 'conflict')
    assert.equal(fold(known(), other, known({ value: '43', from: 12 })).state, 'known')
  })

  test('arguments in another order are the same source', () => {
    const { read } = declareFacts([{ name: 'total', from: [{ tool: 'look', pattern: '/\\d+/' }] }])
    const sources = [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ].map((given) => read(recorded({ arguments: given, observation: '1' }))[0]?.source)
    assert.equal(sources[0], sources[1])
  })
})

describe('the criterion "fact"', () => {
  const judge = (options: Parameters<typeof fact>[0], facts: readonly KnownFact[], lastChange = -1) =>
    fact(options).check(after({ facts, lastChange }))

  test('holds with the value it must have', async () => {
    assert.equal((await judge({ fact: 'total' }, [known()])).detail, '"42" from look {} (event 5)')
    assert.equal((await judge({ fact: 'total', equals: '42' }, [known()])).holds, true)
    assert.equal((await judge({ fact: 'total', equals: 42 }, [known()])).holds, false)
    assert.equal((await judge({ fact: 'total', matches: '/^4/' }, [known()])).holds, true)
    assert.match((await judge({ fact: 'total', matches: '/^5/' }, [known()])).detail, /which does not match/)
  })

  test('does not hold when nothing was observed, when observations disagree, or when something was changed since', async () => {
    assert.match((await judge({ fact: 'total' }, [])).detail, /No observation has established total/)
    const other = known({ source: 'count {}', value: '43' })
    assert.match((await judge({ fact: 'total' }, [known(), other])).detail, /disagree about total: "42".*"43"/)
    assert.equal((await judge({ fact: 'total' }, [known()], 9)).doubt, 'stale')
    assert.equal((await judge({ fact: 'total', fresh: false }, [known()], 9)).holds, true)
  })

  test('cannot ask for two values', () => {
    assert.throws(() => fact({ fact: 'total', equals: 1, matches: '1' }), TaoError)
  })
})

describe('an answer from facts', () => {
  test('holds the values and nothing a model said', () => {
    assert.deepEqual(answerFrom('The total is {{total}}.', [known()]), { ok: true, answer: 'The total is 42.' })
    assert.deepEqual(answerFrom('{{total}}', [known({ value: '{{other}}' })]), { ok: true, answer: '{{other}}' })
  })

  test('names what is missing or disputed', () => {
    const facts = [known(), known({ source: 'count {}', value: '43' })]
    assert.deepEqual(answerFrom('{{total}} of {{all}}', facts), { ok: false, missing: ['total', 'all'] })
  })

  test('a template without facts, or with one that is not declared, is refused', () => {
    expectFacts('{{total}}', ['total'])
    assert.throws(() => expectFacts('The total.', ['total']), TaoError)
    assert.throws(() => expectFacts('{{totl}}', ['total']), /Did you mean "total"/)
  })
})
