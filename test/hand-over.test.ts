import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { type RunResult, type RunTaskOptions, run, type ScriptReply, scripted, tool } from '../src/index.ts'
import { calling, saying } from './support/bench.ts'
import { openTao } from './support/tao-command.ts'

const look = tool({
  name: 'look',
  description: 'Looks.',
  input: z.object({ at: z.string() }),
  effects: 'read',
  run: ({ at }) => {
    if (at === 'nothing') throw new Error('There is nothing.')
    return { price: 7 }
  },
})

const done = (script: readonly ScriptReply[], options: RunTaskOptions): Promise<RunResult> =>
  run('What is the price?', { model: scripted(script), tools: [look], ...options })

const FACTS = [{ name: 'price', from: [{ tool: 'look', path: 'price' }] }]
const REPLIES = [
  calling('look', { at: 'shop' }, 'a'),
  calling('look', { at: 'nothing' }, 'b'),
  calling('guess', {}, 'c'),
]

describe('a run that is handed over to a person', () => {
  test('is blocked where it would have run out, and names the limit', async () => {
    const limits = { modelCalls: 3 }
    const { status, limit } = await done(REPLIES, { limits, handOver: true })
    assert.deepEqual([status, limit?.limit], ['blocked', 'modelCalls'])
    assert.equal((await done(REPLIES, { limits })).status, 'limit')
  })

  test('leaves a note: what is known, each call in order, and what came of it', async () => {
    const { handOver } = await done(REPLIES, { limits: { modelCalls: 3 }, facts: FACTS, handOver: true })
    assert.deepEqual(
      handOver?.known.map(({ fact, value }) => [fact, value]),
      [['price', 7]],
    )
    assert.deepEqual(
      handOver?.tried.map(({ call, name, arguments: given, came, said }) => [call, name, given, came, said]),
      [
        ['a', 'look', '{"at":"shop"}', 'result', '{"price":7}'],
        ['b', 'look', '{"at":"nothing"}', 'failure', 'look failed: There is nothing.'],
        ['c', 'guess', '{}', 'refused', 'There is no tool "guess". Known: look. Nothing was run.'],
      ],
    )
    const [known] = handOver?.known ?? []
    assert.equal(known?.from, handOver?.tried[0]?.from, 'each names its event')
  })

  test('is blocked too where replies cannot be read, where claims are rejected, and where the model cannot be asked', async () => {
    const criteria = { done: [{ answer: { matches: 'euro' } }], limits: { rejectedClaims: 1 } }
    const refusedByService = { error: { status: 401 } }
    const endings = [
      done([saying('7')], { ...criteria, handOver: true }),
      done([saying('')], { limits: { malformedReplies: 1 }, handOver: true }),
      done([refusedByService], { handOver: true }),
    ]
    for (const { status, handOver } of await Promise.all(endings)) {
      assert.equal(status, 'blocked')
      assert.deepEqual(handOver, { known: [], tried: [] })
    }
  })

  test('says what a person did not approve', async () => {
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      input: z.object({}),
      effects: 'irreversible',
      run: () => 'Paid.',
    })
    const policy = {
      tools: {
        pay: { effects: ['irreversible'], floor: 'ask', args: {}, asks: [{ args: {} }], denies: [{ args: { x: 1 } }] },
      },
    }
    const { status, handOver } = await done([calling('pay')], {
      ...{ tools: [pay], policy, limits: { refusals: 1 }, handOver: true },
      approve: () => ({ decision: 'deny', by: 'Ann', reason: 'Too much.' }),
    })
    assert.equal(status, 'blocked')
    assert.match(handOver?.tried[0]?.said ?? '', /A person did not approve it\. They said: Too much\./)
  })

  test('needs nobody when it answered, and when a person cancelled it', async () => {
    const answered = await done([saying('7')], { handOver: true })
    assert.deepEqual([answered.status, answered.handOver], ['answered', undefined])
    const signal = AbortSignal.abort(new Error('enough'))
    const cancelled = await done([saying('7')], { handOver: true, signal })
    assert.deepEqual([cancelled.status, cancelled.handOver], ['cancelled', undefined])
  })

  test('a task file asks for it, and tao show prints the note', async () => {
    await using tao = await openTao({ 'a.txt': 'seven' })
    await tao.write(
      'a.task.yaml',
      'task: Look.\nhandOver: true\nworkspace: { path: project }\ntools: [read_file]\nlimits: { modelCalls: 1 }\n',
    )
    const model = await tao.script([calling('guess', { at: 'a.txt' })])
    const { code, stdout } = await tao.run(['run', 'a.task.yaml', ...model])
    assert.equal(code, 3)
    const shown = (await tao.run(['show', 'latest'])).stdout
    for (const text of [stdout, shown])
      assert.match(
        text,
        /handed over to a person\.\nwhat is known:\n {2}nothing\nwhat was tried, and gave nothing:\n {2}guess \{"at":"a\.txt"\}: There is no tool "guess"/,
      )
  })
})
