import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { scripted } from '../src/model/scripted.ts'
import { compare, type Judge, score } from '../src/score.ts'
import { openResultFolder, recordOf } from './support/results.ts'

const results = (...predictions: readonly string[]) =>
  predictions.map((prediction, at) => recordOf({ id: `q${at}`, question: `${at}?`, prediction }, 1))

describe('scores as a library', () => {
  test('a list of results is judged and added up; what is no result is told, and of two of one rollout the later counts', async () => {
    const list = [...results('yes', 'no', 'Yes!'), { question: 'What?' }, ...results('no')]
    const { scored, left, summary } = await score(list)
    assert.deepEqual(
      scored.map(({ id, judgement }) => [id, judgement.verdict]),
      [
        ['q0', 'wrong'],
        ['q1', 'wrong'],
        ['q2', 'correct'],
      ],
    )
    assert.deepEqual([left, summary.averagePassAt1.share, summary.items], [[], 1 / 3, 3])
    assert.deepEqual(summary.problems, ['result 4 is no record: it has no "prediction"'])
  })

  test('two sets are compared item by item', async () => {
    const [before, after] = [await score(results('yes', 'no', 'no')), await score(results('yes', 'yes', 'yes'))]
    const { wins, losses, ties, p } = compare({ name: 'before', ...before }, { name: 'after', ...after })
    assert.deepEqual([wins, losses, ties, p], [2, 0, 1, 0.5])
  })

  test("a judge of one's own says what is right, and parts the items by a field of theirs", async () => {
    const judge: Judge = {
      name: 'length',
      judge: async ({ prediction }) => ({
        verdict: prediction.length > 2 ? 'correct' : 'wrong',
        why: 'By its length.',
      }),
    }
    const list = results('yes', 'no').map((result, at) => ({ ...result, fields: { area: at === 0 ? 'x' : 'y' } }))
    const { summary } = await score(list, { judge, by: 'area' })
    assert.deepEqual([summary.judge, summary.judgeModel], ['length', undefined])
    assert.deepEqual(
      summary.categories?.groups.map((group) => [group.name, group.share]),
      [
        ['x', 1],
        ['y', 0],
      ],
    )
  })

  test('a model judges within limits; its judgements are kept where that is asked for, and what is left is gone on with', async () => {
    using bench = openResultFolder()
    const judgements = join(bench.folder, 'judgements.jsonl')
    const model = scripted(() => ({ text: 'Correct', usage: { inputFresh: 1e6, output: 0 } }))
    const options = { judge: 'gaia', model, judgements, price: { input: 2, cachedInput: 2, output: 2 }, concurrency: 1 }
    const first = await score(results('a', 'b', 'c'), { ...options, limits: { cost: 3 } })
    assert.deepEqual([first.scored.length, first.left.map(({ id }) => id), first.summary.limit], [2, ['q2'], 'cost'])
    assert.equal(first.summary.judgeUsage?.cost, 4)
    const second = await score(results('a', 'b', 'c'), options)
    assert.deepEqual([second.left, model.requests.length], [[], 3])
    assert.equal(readFileSync(judgements, 'utf8').trimEnd().split('\n').length, 3)
    const { summary } = await score(results('a', 'a'), { judge: 'gaia', model })
    assert.deepEqual([summary.averagePassAt1.share, model.requests.length], [1, 5])
  })

  test('what cannot work is refused with what to do', async () => {
    await assert.rejects(score([], { judge: 'exakt' }), { code: 'usage', message: /no judge "exakt".*exact/s })
    await assert.rejects(score([], { concurrency: 0 }), { code: 'usage', message: /would judge nothing/ })
    const model = scripted([])
    await assert.rejects(score([], { judge: 'gaia', model, limits: { cost: 1 } }), { code: 'price' })
    await assert.rejects(score(results('a'), { signal: AbortSignal.abort('enough') }), (reason) => reason === 'enough')
  })
})
