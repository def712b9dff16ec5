import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openResultFolder, recordOf } from '../../../test/support/results.ts'
import { attemptOf } from '../../../test/support/scored.ts'
import type { Usage } from '../../core/usage.ts'
import type { Script } from '../../model/script.ts'
import { scripted } from '../../model/scripted.ts'
import type { Judgement } from './judge.ts'
import { JudgeBudget, type JudgeLimits } from './judge-budget.ts'
import { JUDGE_PROMPTS } from './judge-prompts.ts'
import { openJudgementLog } from './judgement-log.ts'
import { modelJudge } from './model-judge.ts'
import { scoreAttempts } from './score.ts'

const USAGE = { inputFresh: 50, output: 5 }

interface JudgeWish {
  readonly name?: string
  readonly limits?: JudgeLimits
  /** Milliseconds. */
  readonly now?: () => number
}

interface Asked {
  readonly judgements: readonly Judgement[]
  readonly left: readonly string[]
  readonly used: Usage | undefined
  readonly asked: number
  readonly texts: readonly string[]
}

/** Judges attempts with a scripted model; the log stays for the next time. */
async function judge(
  folder: string,
  script: Script,
  wishes: readonly Parameters<typeof recordOf>[0][],
  { name = 'gaia', limits = {}, now = () => 0 }: JudgeWish = {},
): Promise<Asked> {
  const [prompt, model] = [JUDGE_PROMPTS.get(name), scripted(script)]
  assert.ok(prompt !== undefined)
  const log = await openJudgementLog(join(folder, 'judgements.jsonl'))
  const budget = new JudgeBudget(limits, now)
  const made = modelJudge({ prompt, model, log, budget, now: () => new Date(0) })
  const attempts = wishes.map((wish) => attemptOf(recordOf(wish, 1)))
  const { scored, left } = await scoreAttempts(attempts, {
    ...{ judge: made, concurrency: 1, signal: new AbortController().signal },
  })
  log.close()
  const texts = model.requests.map(({ messages }) => messages.map(({ text }) => text).join('\n'))
  const judgements = scored.map(({ judgement }) => judgement)
  return { judgements, left: left.map(({ id }) => id), used: made.used, asked: model.requests.length, texts }
}

test('a model judges by the question, the right answer and the answer, and every call is on record', async () => {
  using bench = openResultFolder()
  const wish = { question: 'Who?', answer: 'Ann', prediction: 'It was "Ann"' }
  const { judgements, texts } = await judge(bench.folder, [{ text: 'Correct', usage: USAGE }], [wish])
  assert.deepEqual([judgements[0]?.verdict, judgements[0]?.usage?.output], ['correct', 5])
  assert.match(texts[0] ?? '', /\{"question":"Who\?","right_answer":"Ann","answer":"It was \\"Ann\\""\}$/)
  const [call] = readFileSync(join(bench.folder, 'judgements.jsonl'), 'utf8').trim().split('\n')
  const { judge: name, model, reply, at } = JSON.parse(call ?? '{}') as Record<string, string>
  assert.deepEqual([name, model, reply, at], ['gaia', 'scripted/script', 'Correct', '1970-01-01T00:00:00.000Z'])
})

test('what was asked once is not asked again, and costs nothing the second time; another judge is asked anew', async () => {
  using bench = openResultFolder()
  const wishes = [
    { id: 'a', prediction: 'x' },
    { id: 'b', prediction: 'y' },
    { id: 'c', prediction: 'x' },
  ]
  const first = await judge(
    bench.folder,
    [
      { text: 'Incorrect', usage: USAGE },
      { text: 'Correct', usage: USAGE },
    ],
    wishes,
  )
  assert.deepEqual([first.judgements.map(({ verdict }) => verdict), first.asked], [['wrong', 'correct', 'wrong'], 2])
  const again = await judge(bench.folder, [], wishes)
  assert.deepEqual(
    again.judgements.map(({ verdict, usage }) => [verdict, usage]),
    [
      ['wrong', undefined],
      ['correct', undefined],
      ['wrong', undefined],
    ],
  )
  const other = await judge(bench.folder, [{ text: 'A' }], wishes.slice(0, 1), { name: 'three-grade' })
  assert.deepEqual([other.judgements[0]?.verdict, other.asked], ['correct', 1])
})

test('a reply that is no judgement is asked for again, three times in all, and is never taken for one', async () => {
  using bench = openResultFolder()
  const unreadable = { text: 'Well, it depends.', usage: USAGE }
  const mended = await judge(bench.folder, [unreadable, { text: 'Correct', usage: USAGE }], [{ id: 'a' }])
  assert.deepEqual([mended.judgements[0]?.verdict, mended.judgements[0]?.usage?.output], ['correct', 10])
  const never = await judge(bench.folder, [unreadable, unreadable, unreadable], [{ id: 'b', prediction: 'z' }])
  assert.deepEqual([never.judgements[0]?.verdict, never.asked], ['unjudged', 3])
})

test('a judge that cannot be asked leaves that attempt unjudged and the others alone; the next time it is asked again', async () => {
  using bench = openResultFolder()
  const wishes = [
    { id: 'a', prediction: 'x' },
    { id: 'b', prediction: 'y' },
  ]
  const broken = { error: { status: 500, body: 'down' } }
  const { judgements } = await judge(bench.folder, [broken, { text: 'Correct' }], wishes)
  assert.deepEqual(
    judgements.map(({ verdict }) => verdict),
    ['unjudged', 'correct'],
  )
  assert.match(judgements[0]?.why ?? '', /could not be asked/)
  const again = await judge(bench.folder, [{ text: 'Correct' }], wishes)
  assert.deepEqual([again.judgements[0]?.verdict, again.asked], ['correct', 1])
})

// https://github.com/orq-ai/evaluatorq/pull/184
test('what cannot be right costs no call: an error, whatever it says, no answer, and a dataset that does not say', async () => {
  using bench = openResultFolder()
  const wishes = [{ error: 'no server' }, { error: '' }, { prediction: 'No answer found.' }, { answer: '' }]
  const { judgements, asked } = await judge(bench.folder, [], wishes)
  assert.deepEqual(
    [judgements.map(({ verdict }) => verdict), asked],
    [['not attempted', 'not attempted', 'not attempted', 'unjudged'], 0],
  )
})

test('at a limit of cost no further call starts, not even for an unreadable reply; what is left is gone on with', async () => {
  using bench = openResultFolder()
  const wishes = ['a', 'b', 'c', 'd'].map((id) => ({ id, prediction: id }))
  const costing = (text: string, cost: number) => ({ text, usage: { ...USAGE, cost } })
  const first = await judge(bench.folder, [costing('Correct', 0.4), costing('Hm.', 0.6)], wishes, {
    limits: { cost: 1 },
  })
  assert.deepEqual([first.asked, first.left, first.judgements.length], [2, ['b', 'c', 'd'], 1])
  assert.deepEqual([first.used?.output, first.used?.cost], [10, 1])
  const rest = [costing('Incorrect', 0.2), costing('Correct', 0.2), costing('Correct', 0.2)]
  const second = await judge(bench.folder, rest, wishes, { limits: { cost: 0.7 } })
  assert.deepEqual([second.asked, second.left], [3, []])
  assert.deepEqual(
    second.judgements.map(({ verdict }) => verdict),
    ['correct', 'wrong', 'correct', 'correct'],
  )
})

test('at a limit of time no further call starts, and what was judged before is still known', async () => {
  using bench = openResultFolder()
  const wishes = ['a', 'b', 'c'].map((id) => ({ id, prediction: id }))
  await judge(bench.folder, [{ text: 'Correct' }], wishes.slice(2))
  const clock = [0, 99, 100, 101]
  const limited = { limits: { time: 100 }, now: () => clock.shift() ?? 101 }
  const { asked, left, judgements } = await judge(bench.folder, [{ text: 'Correct' }], wishes, limited)
  assert.deepEqual([asked, left, judgements.length], [1, ['b'], 2])
})

test('a call whose cost nobody knows may have cost anything: under a limit of cost it is the last', async () => {
  using bench = openResultFolder()
  const wishes = ['a', 'b'].map((id) => ({ id, prediction: id }))
  const { asked, left } = await judge(bench.folder, [{ text: 'Correct' }], wishes, { limits: { cost: 5 } })
  assert.deepEqual([asked, left], [1, ['b']])
})

test('a signal ends it with its reason', async () => {
  const attempts = [attemptOf(recordOf({}, 1))]
  const parts = { concurrency: 1, signal: AbortSignal.abort('enough') }
  const never = { name: 'never', judge: () => Promise.reject(new Error('it was asked')) }
  await assert.rejects(scoreAttempts(attempts, { ...parts, judge: never }), (reason) => reason === 'enough')
})
