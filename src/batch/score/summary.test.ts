import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scoredOf, scoredSet } from '../../../test/support/scored.ts'
import { figuresOf } from './figures.ts'
import type { Scored } from './score.ts'
import type { Share } from './shares.ts'
import { type Summary, type SummaryOptions, summarize } from './summary.ts'

const summaryOf = (scored: readonly Scored[], over: Partial<SummaryOptions> = {}): Summary =>
  summarize(scored, { files: ['f'], problems: [], judge: { name: 'exact' }, hle: false, ...over })

const rounded = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.round(value * 1e4) / 1e4
const shares = (list: readonly Share[]): unknown => list.map(({ share, of }) => [rounded(share), of])

describe('summary', () => {
  test('Pass@1 a rollout, their mean, the best, and Pass@k are those computed by hand', () => {
    const summary = summaryOf(scoredSet(['ccc', 'cwc', 'wwc', 'www']))
    assert.deepEqual(shares(summary.rounds), [
      [0.5, 4],
      [0.25, 4],
      [0.75, 4],
    ])
    assert.deepEqual(shares([summary.averagePassAt1]), [[0.5, 4]])
    assert.deepEqual([summary.bestPassAt1?.rollout, summary.bestPassAt1?.share], [3, 0.75])
    // Of two drawn: 1, 1, 2/3, 0. Of three: 1, 1, 1, 0.
    assert.deepEqual(shares(summary.passAt), [
      [0.5, 4],
      [0.6667, 4],
      [0.75, 4],
    ])
    // Wilson for 0.5 of 4, an item counted once: 0.5 ± 1.96 sqrt(1/16 + 1.96²/64) / (1 + 1.96²/4)
    assert.deepEqual([rounded(summary.averagePassAt1.low), rounded(summary.averagePassAt1.high)], [0.15, 0.85])
  })

  test('what was not tried and what could not be judged counts as not correct, and is said', () => {
    const failed = scoredOf('n', { id: 'a', error: 'no server' }, 1)
    const { failed: f, unjudged, missing, rounds } = summaryOf([failed, ...scoredSet(['', 'u', 'c'])])
    assert.deepEqual([f, unjudged, missing, shares(rounds)], [1, 1, 0, [[0.3333, 3]]])
  })

  test('what was not judged counts nowhere, and a set with any says so and by which limit', () => {
    const left = scoredSet(['cc', 'c']).filter(({ id, rollout }) => id === 'b' || rollout === 2)
    const judged = scoredSet(['c'])
    const { notJudged, limit, missing, attempts, items, averagePassAt1 } = summaryOf(judged, { left, limit: 'cost' })
    assert.deepEqual([notJudged, limit, missing, attempts, items], [2, 'cost', 1, 1, 1])
    assert.deepEqual(shares([averagePassAt1]), [[1, 1]])
    const whole = summaryOf(judged, { limit: 'cost' })
    assert.deepEqual([whole.notJudged, whole.limit], [0, undefined])
  })

  // https://github.com/miclaldogan/bantzv2/issues/511
  test('a set that is not whole says so, and items with fewer rollouts are no part of a larger Pass@k', () => {
    const summary = summaryOf(scoredSet(['cw', 'c']))
    assert.deepEqual(
      [summary.missing, shares(summary.rounds), shares(summary.passAt)],
      [
        1,
        [
          [1, 2],
          [0, 1],
        ],
        [
          [0.75, 2],
          [1, 1],
        ],
      ],
    )
  })

  test('figures are means over rollouts of the means over attempts, for all and for the correct ones', () => {
    const scored = [
      scoredOf('c', { id: 'a', prediction: '12', calls: ['search', 'visit'], cost: 0.2, tokens: [100, 10] }, 1),
      scoredOf(
        'w',
        {
          id: 'b',
          prediction: '1234',
          calls: ['search', 'python', 'python', 'google_scholar'],
          cost: 0.4,
          tokens: [300, 30],
        },
        1,
      ),
      scoredOf('c', { id: 'a', prediction: '123456', calls: [], cost: 0.1, tokens: [50, 20] }, 2),
    ]
    const { statistics, solved } = summaryOf(scored)
    const { turns, toolCalls, searches, visits, otherCalls, answerCharacters, inputTokens, outputTokens } = statistics
    assert.deepEqual([turns, toolCalls, searches, visits, otherCalls], [2.5, 1.5, 0.5, 0.25, 0.75])
    assert.deepEqual([answerCharacters, inputTokens, outputTokens, statistics.durationMs], [4.5, 125, 20, 1500])
    assert.deepEqual([rounded(statistics.cost), rounded(solved.cost)], [0.2, 0.15])
    assert.deepEqual([solved.turns, solved.toolCalls, solved.attempts], [2, 1, 2])
    // Correct: two calls of 20 tokens and 7 for the answer; 9 for the longer answer alone.
    assert.deepEqual([solved.assistantTokens, solved.tokensPerMessage], [28, (47 / 3 + 9) / 2])
    assert.deepEqual(statistics.tools, { google_scholar: 1 / 3, python: 2 / 3, search: 2 / 3, visit: 1 / 3 })
  })

  test('invalid and very long attempts are counted, and endings by how often they occur', () => {
    const long = scoredOf('c', { id: 'a', question: 'x'.repeat(90_001) }, 1)
    const cut = scoredOf('w', { id: 'b', termination: 'exceed available llm calls' }, 1)
    const summary = summaryOf([
      long,
      { ...cut, figures: { ...cut.figures, isInvalid: true } },
      ...scoredSet(['', '', 'c']),
    ])
    assert.deepEqual([summary.statistics.invalid, summary.statistics.extraLong], [1, 1])
    assert.deepEqual(Object.entries(summary.terminations), [
      ['answer', 2],
      ['exceed available llm calls', 1],
    ])
    assert.deepEqual(summary.statuses, { answered: 3 })
  })

  test('lengths of messages of the model are computed by hand, in characters and in tokens', () => {
    // 60 and 22 characters, 20 and 8 tokens.
    const { messageCharacters, assistantTokens, tokensPerMessage } = summaryOf([
      scoredOf('c', { calls: ['search'] }, 1),
    ]).statistics
    assert.deepEqual([messageCharacters, assistantTokens, tokensPerMessage], [41, 28, 14])
  })

  test('items are parted by a field: the usual one, or the one that is named', () => {
    const scored = [
      scoredOf('c', { id: 'a', fields: { level: 2, area: 'x' } }, 1),
      scoredOf('w', { id: 'a', fields: { level: 2, area: 'x' } }, 2),
      scoredOf('c', { id: 'b', fields: { level: 10, area: 'x' } }, 1),
      scoredOf('w', { id: 'c', fields: { area: '' } }, 1),
    ]
    const groups = (by?: string) => summaryOf(scored, by === undefined ? {} : { by }).categories
    assert.deepEqual(
      groups()?.groups.map(({ name, share, of }) => [name, share, of]),
      [
        ['2', 0.5, 1],
        ['10', 1, 1],
        ['none', 0, 1],
      ],
    )
    assert.deepEqual(
      groups('area')?.groups.map(({ name, share, of }) => [name, share, of]),
      [
        ['none', 0, 1],
        ['x', 0.75, 2],
      ],
    )
    assert.equal(summaryOf(scoredSet(['c'])).categories, undefined)
  })

  test('of nothing, nothing is known: no figure is made by dividing by zero', () => {
    for (const scored of [[], scoredSet(['www'])]) {
      const summary = summaryOf(scored, { hle: true })
      assert.doesNotMatch(
        JSON.stringify(summary, (_, value) => (typeof value === 'number' && !Number.isFinite(value) ? 'BAD' : value)),
        /BAD/,
      )
      assert.deepEqual(
        [summary.solved.turns, summary.solved.cost, summary.hle?.correct.turns],
        [undefined, undefined, undefined],
      )
    }
    const silent = scoredSet(['w']).map((each) => ({ ...each, figures: figuresOf([], undefined) }))
    const { turns, toolCalls, messageCharacters, tokensPerMessage, cost, invalid } = summaryOf(silent).statistics
    assert.deepEqual(
      [turns, toolCalls, messageCharacters, tokensPerMessage, cost, invalid],
      [0, 0, undefined, undefined, undefined, 1],
    )
    assert.deepEqual(
      [summaryOf([]).averagePassAt1, summaryOf([]).passAt, summaryOf([]).bestPassAt1],
      [{ of: 0 }, [], undefined],
    )
  })
})

describe("the report of Humanity's Last Exam", () => {
  test('accuracy, answers, turns, tools, tokens and dollars are counted from the records', () => {
    const scored = [
      scoredOf('c', { id: 'a', calls: ['search', 'search'], tokens: [1e6, 2e5] }, 1),
      scoredOf('w', { id: 'b', calls: ['python', 'search', 'visit', 'search'], tokens: [3e6, 4e5] }, 1),
      scoredOf('u', { id: 'c', calls: [], tokens: [0, 0] }, 1),
      scoredOf('n', { id: 'd', calls: [], tokens: [0, 0], error: 'no server' }, 1),
    ]
    const hle = summaryOf(scored, { hle: true }).hle
    assert.deepEqual(
      [hle?.evaluated, hle?.valid, hle?.accuracy.share, hle?.answered.share, hle?.repeats],
      [4, 2, 0.25, 1, 1],
    )
    assert.deepEqual([hle?.all.turns, hle?.correct.turns, hle?.turnDistribution], [2.5, 3, { 1: 2, 3: 1, 5: 1 }])
    assert.deepEqual([hle?.all.tools, hle?.correct.tools], [{ python: 0.25, search: 1, visit: 0.25 }, { search: 2 }])
    assert.deepEqual([hle?.all.promptTokens, hle?.all.completionTokens], [1e6, 150_000])
    // 1.1 + 0.15 * 4.4 and 3 + 0.15 * 15
    assert.deepEqual([rounded(hle?.all.dollars?.low), rounded(hle?.all.dollars?.high)], [1.76, 5.25])
    // 1.1 + 0.2 * 4.4 and 3 + 0.2 * 15
    assert.deepEqual([hle?.correct.promptTokens, hle?.correct.completionTokens], [1e6, 2e5])
    assert.deepEqual([rounded(hle?.correct.dollars?.low), rounded(hle?.correct.dollars?.high)], [1.98, 6])
  })

  test('the answer rate is the share of attempts with a whole answer, over all repeats', () => {
    const [cut, ...others] = scoredSet(['wc', 'cw'])
    assert.ok(cut !== undefined)
    const hle = summaryOf([{ ...cut, figures: { ...cut.figures, isInvalid: true } }, ...others], { hle: true }).hle
    assert.deepEqual([hle?.answered.share, hle?.answered.of, hle?.repeats, hle?.accuracy.share], [0.75, 4, 2, 0.5])
  })

  test('what the records do not say is absent: no tokens, no dollars', () => {
    const [known] = scoredSet(['c'])
    assert.ok(known !== undefined)
    const figures = { ...known.figures, inputTokens: undefined, outputTokens: undefined }
    const hle = summaryOf([{ ...known, figures }], { hle: true }).hle
    assert.deepEqual(
      [hle?.all.promptTokens, hle?.all.completionTokens, hle?.all.dollars],
      [undefined, undefined, undefined],
    )
  })

  test('the calibration error is the root mean square over groups of a hundred, the last one taking what is left', () => {
    const answers = (count: number, letter: string, confidence: number): Scored[] =>
      Array.from({ length: count }, (_, at) => scoredOf(letter, { id: `${letter}${confidence}-${at}` }, 1, confidence))
    // 100 sure to 20 %, of them 30 right; then 110 sure to 90 %, of them 66 right.
    const scored = [...answers(30, 'c', 20), ...answers(70, 'w', 20), ...answers(66, 'c', 90), ...answers(44, 'w', 90)]
    const hle = summaryOf([...scored, ...scoredSet(['c'])], { hle: true }).hle
    assert.deepEqual(
      hle?.calibration.map(({ of, confidence }) => [of, rounded(confidence)]),
      // The fifth: (16 · 0.2 + 5 · 0.9) / 21
      [...Array.from({ length: 4 }, () => [21, 0.2]), [21, 0.3667], ...Array.from({ length: 5 }, () => [21, 0.9])],
    )
    // 100 sqrt(100/210 · 0.1² + 110/210 · 0.3²)
    assert.equal(rounded(hle?.calibrationError), 22.7826)
    assert.equal(summaryOf(scoredSet(['c']), { hle: true }).hle?.calibrationError, undefined)
  })
})
