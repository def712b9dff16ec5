import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { scoreResults } from '../src/app/score-results.ts'
import { readSettings } from '../src/app/settings.ts'
import type { Comparison } from '../src/batch/score/compare.ts'
import type { Summary } from '../src/batch/score/summary.ts'
import { openBatchBench } from './support/batch.ts'
import { startChatServer } from './support/chat-server.ts'
import { manyWishes, openResultFolder } from './support/results.ts'
import { openTao } from './support/tao-command.ts'

const read = <T>(...path: readonly string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T
const linesOf = (...path: readonly string[]): unknown[] =>
  readFileSync(join(...path), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const never = new AbortController().signal
const USAGE = { inputFresh: 100, output: 10 }

describe('tao score', { concurrency: 2 }, () => {
  test('what a batch has written is judged, added up and shown: a table, a summary, a line an attempt, a report', async () => {
    await using service = await startChatServer((request) => ({
      text: /B\?/.test(request.raw) ? 'no' : 'yes',
      usage: USAGE,
    }))
    using bench = openBatchBench({
      rows: ['A?', 'B?'].map((question) => ({ question, answer: 'yes', level: question === 'A?' ? 1 : 2 })),
      url: service.url,
    })
    await bench.run({ rollouts: 2, concurrency: 1 })
    await using tao = await openTao()
    const out = join(bench.folder, 'out')
    const { code, stdout } = await tao.run(['score', out, '--judge', 'exact'])
    assert.equal(code, 0)
    assert.match(stdout, /2 items, 2 rollouts, judge exact/)
    assert.match(stdout, /Pass@1, average +50\.00 % +9\.5 to 90\.5\n/)
    assert.match(stdout, /Pass@2 +50\.00 %/)
    assert.match(stdout, /input tokens +100\n +output tokens +10\n/)
    assert.match(stdout, /By level\n +1 +100\.00 %.*\n +2 +0\.00 %/)
    const { passAt, models, statistics } = read<Summary>(out, 'summary.json')
    assert.deepEqual(
      [passAt.map(({ share }) => share), models, statistics.turns],
      [[0.5, 0.5], ['openai-compatible/m'], 1],
    )
    const scored = linesOf(out, 'scored.jsonl') as {
      readonly run: string
      readonly judgement: { readonly verdict: string }
    }[]
    assert.deepEqual(scored.map(({ judgement }) => judgement.verdict).sort(), ['correct', 'correct', 'wrong', 'wrong'])
    const events = await bench.eventsOf(scored[0]?.run)
    assert.equal(events.at(-1)?.kind, 'run.ended')
    assert.ok(existsSync(join(out, 'report.html')))
    const resumed = await bench.run({ rollouts: 2, mode: 'resume' })
    assert.deepEqual([resumed.before, resumed.done], [4, 0])
  })

  test('a judging model is asked once for each answer, after trouble again, and what it could not judge is said', async () => {
    await using service = await startChatServer((_, n) =>
      n === 0 ? { error: { status: 503 } } : n === 2 ? { text: 'Hm.' } : { text: 'Correct', usage: USAGE },
    )
    using bench = openResultFolder()
    const out = bench.write('out', [
      [{ id: 'a' }, { id: 'b', prediction: 'no' }, { id: 'c', error: 'no server' }, { id: 'd', answer: '' }],
    ])
    await using tao = await openTao()
    const args = [
      'score',
      out,
      '--judge',
      'webwalker',
      '--judge-model',
      'openai-compatible/j',
      '--base-url',
      service.url,
      '--concurrency',
      '1',
    ]
    const first = await tao.run([...args, '--json'])
    const { sets } = JSON.parse(first.stdout) as { readonly sets: readonly [{ readonly summary: Summary }] }
    const { judge, judgeModel, judgeUsage, failed, unjudged, rounds } = sets[0].summary
    assert.deepEqual(
      [first.code, judge, judgeModel, failed, unjudged, rounds[0]?.share],
      [1, 'gaia', 'openai-compatible/j', 1, 1, 0.5],
    )
    assert.deepEqual([judgeUsage?.output, service.requests.length], [20, 4])
    const second = await tao.run(args)
    assert.equal(service.requests.length, 4)
    assert.match(second.stdout, /1 attempt not really tried.*\n1 attempt could not be judged/)
    assert.equal(linesOf(out, 'judgements.jsonl').length, 2)
  })

  test('two result sets are compared item by item, in the table, a file and the report', async () => {
    using bench = openResultFolder()
    const [first, second] = [bench.write('plain', manyWishes(30, 2, 0.4)), bench.write('tuned', manyWishes(30, 2, 0.7))]
    await using tao = await openTao()
    const { code, stdout } = await tao.run(['score', first, second])
    assert.equal(code, 0)
    const { wins, losses, ties, p } = read<Comparison>(second, 'comparison.json')
    assert.ok(wins > losses && wins + losses + ties === 30)
    assert.match(
      stdout,
      new RegExp(`tuned against plain[\\s\\S]*wins +${wins}\\n[\\s\\S]*sign test +p = ${p.toPrecision(3)}`),
    )
    assert.match(readFileSync(join(second, 'report.html'), 'utf8'), /Against plain/)
    assert.doesNotMatch(readFileSync(join(first, 'report.html'), 'utf8'), /Against /)
  })

  test('at its limit a score says what it is of and ends with 4; the same command goes on with what is left', async () => {
    await using service = await startChatServer(() => ({ text: 'Correct', usage: { inputFresh: 100_000, output: 0 } }))
    using bench = openResultFolder()
    const out = bench.write('out', [['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, prediction: id }))])
    await using tao = await openTao()
    const judge = ['--judge', 'gaia', '--judge-model', 'openai-compatible/j', '--base-url', service.url]
    const args = ['score', out, ...judge, '--concurrency', '1', '--max-cost', '0.3', '--judge-price', '1,0.1,2']
    const first = await tao.run(args)
    assert.deepEqual([first.code, service.requests.length], [4, 3])
    assert.match(
      first.stdout,
      /3 items, .*\nNot whole: 2 attempts not judged, counted nowhere. The limit --max-cost was reached/,
    )
    assert.match(first.stdout, /asked now +300,000 tokens · \$0\.3000/)
    assert.match(readFileSync(join(out, 'report.html'), 'utf8'), /2 attempts not judged.*--max-cost/)
    const second = await tao.run([...args, '--json'])
    const { notJudged, limit, attempts } = read<Summary>(out, 'summary.json')
    assert.deepEqual([second.code, service.requests.length, notJudged, limit, attempts], [0, 5, 0, undefined, 5])
  })

  test('of several sets each is compared with the first, a row each, and p is raised by how many there are', async () => {
    using bench = openResultFolder()
    const names = ['plain', 'tuned', 'other']
    const folders = names.map((name, at) => bench.write(name, manyWishes(30, 1, 0.4 + at * 0.2)))
    await using tao = await openTao()
    const scores = join(bench.folder, 'scores')
    const { code, stdout } = await tao.run(['score', ...folders, '--out', scores])
    assert.equal(code, 0)
    const [tuned, other] = ['2', '3'].map((name) => read<Comparison>(scores, name, 'comparison.json'))
    assert.ok(tuned?.adjustedP !== undefined && other?.adjustedP !== undefined)
    assert.equal(Math.min(tuned.adjustedP, other.adjustedP), 2 * Math.min(tuned.p, other.p))
    assert.match(stdout, /Against plain\n +score +wins .* by Holm\n +tuned .*\n +other .*\n/)
    assert.match(stdout, new RegExp(`other .* ${other.p.toPrecision(3)} +${other.adjustedP.toPrecision(3)} `))
    assert.match(readFileSync(join(scores, '3', 'report.html'), 'utf8'), /Against plain[\s\S]*by Holm/)
    assert.ok(!existsSync(join(scores, '1', 'comparison.json')))
  })

  test("a rubric of one's own is a file; what is no judge, no result and no model is refused with what to do", async () => {
    await using service = await startChatServer(() => ({ text: '{"correct": "no", "why": "It names no river."}' }))
    using bench = openResultFolder()
    const out = bench.write('out', [[{ id: 'a' }]])
    await using tao = await openTao()
    const rubric = await tao.write('rubric.md', 'Right is what names the river.')
    const asked = ['--judge', rubric, '--judge-model', 'openai-compatible/j', '--base-url', service.url]
    const scores = join(bench.folder, 'scores')
    assert.equal((await tao.run(['score', out, ...asked, '--out', scores])).code, 0)
    assert.match(service.requests[0]?.raw ?? '', /names the river/)
    const [{ judgement }] = linesOf(scores, 'scored.jsonl') as [{ readonly judgement: { readonly why: string } }]
    assert.equal(judgement.why, 'It names no river.')
    const [empty] = [await tao.write('empty/note.txt', '')]
    const score = (results: readonly string[], judge: string) =>
      scoreResults({ results, judge, folder: bench.folder, concurrency: 1, limits: {} }, readSettings({}), {
        signal: never,
      })
    for (const [results, judge, pattern] of [
      [[out], 'normalized', /no judge "normalized".*normalised/s],
      [[out], 'gaia', /no model to ask/],
      [[join(empty, '..')], 'exact', /no results in/],
    ] as const)
      await assert.rejects(score(results, judge), pattern)
  })
})
