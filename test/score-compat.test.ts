import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { scoreResults } from '../src/app/score-results.ts'
import { readSettings } from '../src/app/settings.ts'
import { scripted } from '../src/model/scripted.ts'
import { openResultFolder, type RecordWish, recordOf } from './support/results.ts'
import { figureLines, sharesOfCopies } from './support/scored-copies.ts'

const hooks = { signal: new AbortController().signal }
const plain = { judge: 'exact', concurrency: 2, limits: {}, compat: 'deep-research' } as const

/** Three rollouts of four questions, of which the first is right always, the second twice, the third once, the last never. */
const rounds = [1, 2, 3].map((round) =>
  ['a', 'b', 'c', 'd'].map(
    (id, at): RecordWish => ({
      ...{ id, question: `${id}?`, prediction: round <= 3 - at ? 'yes' : 'nobody knows' },
      calls: at === 0 ? ['search', 'visit'] : ['python'],
      ...(id === 'd' ? { termination: 'exceed available llm calls' as const } : {}),
    }),
  ),
)

const FIGURES = [
  ...['extra_length', 'num_invalid', 'avg_action', 'avg_visit_action', 'avg_search_action', 'avg_other_action'],
  ...['avg_ans_length', 'avg_think_length', 'avg_tool_calls_per_question', 'avg_assistant_tokens_per_question'],
  ...['avg_assistant_tokens_per_message', 'termination_freq'],
  ...['avg_tool_calls_per_question_correctly_solved', 'avg_assistant_tokens_per_question_correctly_solved'],
]

describe('tao score --compat deep-research', () => {
  test('the scored copies and the line of figures are what the evaluation of the original leaves, and agree', async () => {
    using bench = openResultFolder()
    const out = bench.write('out', rounds)
    await scoreResults({ ...plain, results: [out], folder: bench.folder }, readSettings({}), hooks)
    const { dataset, files, overall, individual, statistics } = figureLines(out)[0] ?? assert.fail('no line')
    assert.deepEqual({ overall, individual }, sharesOfCopies(out))
    assert.deepEqual(overall, { avg_pass_at_3: 50, best_pass_at_1: 75, pass_at_3: 75 })
    assert.deepEqual(individual, { 'Round1_Pass@1': 75, 'Round2_Pass@1': 50, 'Round3_Pass@1': 25 })
    assert.deepEqual([dataset, files.round2], ['exact', join(out, 'rollout-2.jsonl')])
    assert.deepEqual(statistics.termination_freq, { answer: 0.75, 'exceed available llm calls': 0.25 })
    const { extra_length, num_invalid, avg_action, avg_visit_action, avg_search_action, avg_other_action } = statistics
    assert.deepEqual(
      [extra_length, num_invalid, avg_action, avg_visit_action, avg_search_action, avg_other_action],
      [0, 0, 1.25, 0.25, 0.25, 0.75],
    )
    // Six times "yes" and six times "nobody knows".
    assert.equal(statistics.avg_ans_length, (6 * 3 + 6 * 12) / 12)
    // Of the right ones: 4 calls of 3, 3 of 2, and 2 of 1.
    assert.equal(statistics.avg_tool_calls_per_question_correctly_solved, 1.611)
    assert.deepEqual(Object.keys(statistics), FIGURES)
  })

  test('a copy holds whole records in the order of the results, of two of one rollout the later; another score is another line', async () => {
    using bench = openResultFolder()
    const out = bench.write('out', rounds)
    const again = recordOf({ id: 'd', question: 'd?', prediction: 'yes', calls: ['visit'] }, 3)
    appendFileSync(join(out, 'rollout-3.jsonl'), `half a line}\n${JSON.stringify(again)}\n`)
    const score = () => scoreResults({ ...plain, results: [out], folder: bench.folder }, readSettings({}), hooks)
    await score()
    await score()
    const copy = readFileSync(join(out, 'iter3_scored.jsonl'), 'utf8').trimEnd().split('\n')
    const read = copy.map((line) => JSON.parse(line) as typeof again & { readonly is_correct: boolean })
    assert.deepEqual(
      read.map(({ id, is_correct }) => [id, is_correct]),
      [
        ['a', true],
        ['b', false],
        ['c', false],
        ['d', true],
      ],
    )
    assert.deepEqual(read[3]?.messages, again.messages)
    assert.equal(figureLines(out).length, 2)
    assert.deepEqual(figureLines(out)[0], figureLines(out)[1])
  })

  test('a judge that failed is an error by their names, and what was not tried keeps its own', async () => {
    using bench = openResultFolder()
    const wishes = [{ id: 'a', error: 'no server' }, { id: 'b' }, { id: 'c', prediction: '' }]
    const out = bench.write('out', [wishes, wishes, wishes])
    const model = scripted(() => ({ error: { status: 500, body: 'down' } }))
    await scoreResults(
      { ...plain, judge: 'gaia', model, results: [out], folder: bench.folder },
      readSettings({}),
      hooks,
    )
    const copy = readFileSync(join(out, 'iter1_scored.jsonl'), 'utf8').trimEnd().split('\n')
    assert.deepEqual(
      copy.map((line) => {
        const { id, is_correct, judgement, error = '' } = JSON.parse(line) as Readonly<Record<string, string>>
        return [id, is_correct, judgement, error?.slice(0, 20)]
      }),
      [
        ['a', false, 'Not attempted', 'no server'],
        ['b', false, 'Error', 'scripted/script coul'],
        ['c', false, 'Not attempted', ''],
      ],
    )
  })

  test('figures of three rounds are not made of two, nor of a part that a limit left', async () => {
    using bench = openResultFolder()
    const two = bench.write('two', rounds.slice(0, 2))
    const request = { ...plain, folder: bench.folder }
    await assert.rejects(
      scoreResults({ ...request, results: [two] }, readSettings({}), hooks),
      /rollouts 1, 2 and 3; here are: 1, 2/,
    )
    const out = bench.write('out', rounds)
    const model = scripted(() => ({ text: 'Correct', usage: { inputFresh: 1e6, output: 0 } }))
    const judged = { ...request, judge: 'gaia', model, price: { input: 1, cachedInput: 1, output: 1 } }
    const limited = { ...judged, concurrency: 1, limits: { cost: 2 }, results: [out] }
    const [set] = (await scoreResults(limited, readSettings({}), hooks)).sets
    assert.deepEqual(
      [set?.summary.limit, model.requests.length, existsSync(join(out, 'summary.jsonl'))],
      ['cost', 2, false],
    )
    const lines = readFileSync(join(out, 'iter1_scored.jsonl'), 'utf8').trimEnd().split('\n')
    assert.equal(lines.length, 2)
    const third = readFileSync(join(out, 'iter3_scored.jsonl'), 'utf8').trimEnd().split('\n')
    assert.deepEqual(
      third.map((line) => (JSON.parse(line) as { readonly id: string }).id),
      ['a'],
      'the same answer as in the first round is known',
    )
    await scoreResults({ ...limited, limits: { cost: 100 } }, readSettings({}), hooks)
    assert.equal(figureLines(out).length, 1)
  })
})
