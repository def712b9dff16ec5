import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CODE_JUDGES } from './code-judges.ts'

/** Each case: prediction, answer of the dataset, whether it is right. */
const CASES: Readonly<Record<string, readonly (readonly [string, string, boolean])[]>> = {
  exact: [
    [' Oslo\n', 'Oslo', true],
    ['oslo', 'Oslo', false],
  ],
  normalised: [
    ['The  Eiffel-Tower!', 'eiffel tower', true],
    ['ＡＢＣ', 'abc', true],
    ['1,234', '1234', true],
    ['3.5', '35', false],
    ['-5', '5', false],
    ['−5', '-5', true],
    ['1990-1995', '1990 1995', true],
    ['1, 2', '1,2', true],
    ['10:30', '1030', false],
    ['theatre', 'a theatre', true],
    ['青溪大桥。', '青溪大桥', true],
    ['?', '!', false],
    ['C++', 'C', false],
  ],
  numeric: [
    ['$1,234.50', '1234.5', true],
    ['about 12 km', '12', true],
    ['12 or 13', '12', false],
    ['-0.3', '0.3', false],
    ['1e3', '1000', true],
    ['.5', '0.5', true],
    ['0.30000000000000004', '0.3', true],
    ['0', '0', true],
    ['none', '0', false],
    ['12', 'twelve', false],
  ],
  'gaia-rule': [
    ['$1,000', '1000', true],
    ['17%', '17', true],
    ['17.1', '17', false],
    ['many', '17', false],
    ['Sea gull', 'seagull.', true],
    ['a, b, 3', 'A,B,3.0', true],
    ['a; b', 'a, b', true],
    ['a, b', 'a, b, c', false],
    ['b, a', 'a, b', false],
    ['a., b', 'a, b', false],
  ],
}

describe('judges that ask nobody', () => {
  for (const [name, cases] of Object.entries(CASES))
    test(`${name} tells right answers from wrong ones`, async () => {
      const judge = CODE_JUDGES.get(name)
      for (const [prediction, answer, isRight] of cases) {
        const found = await judge?.judge({ question: '', answer, prediction }, AbortSignal.timeout(1_000))
        assert.equal(found?.verdict, isRight ? 'correct' : 'wrong', `"${prediction}" for "${answer}"`)
      }
    })

  test('of several right answers each is right, and a number is one', async () => {
    const judge = CODE_JUDGES.get('normalised')
    const verdict = async (answer: string[] | number, prediction: string): Promise<string | undefined> =>
      (await judge?.judge({ question: '', answer, prediction }, AbortSignal.timeout(1_000)))?.verdict
    assert.deepEqual(
      [await verdict(['Kyiv', 'Kiev'], 'kiev'), await verdict(['Kyiv'], 'Lviv'), await verdict(7, '7')],
      ['correct', 'wrong', 'correct'],
    )
  })
})
