import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run, scripted } from '../src/index.ts'
import { saying } from './support/bench.ts'
import { startChatServer } from './support/chat-server.ts'
import { openTao } from './support/tao-command.ts'

const PRICE = { input: 1, cachedInput: 0.1, output: 10 }
const USAGE = { inputFresh: 100_000, inputCached: 500_000, output: 20_000 }
const COST = 0.1 + 0.05 + 0.2

test('with its price, what a model given by name cost is known, and a limit of cost can be set', async () => {
  await using server = await startChatServer([{ ...saying('done'), usage: USAGE }])
  const outcome = await run('Do it.', {
    ...{ model: 'openai-compatible/any', baseUrl: server.url, price: PRICE, limits: { cost: 1 } },
  })
  assert.equal(outcome.status, 'answered')
  assert.equal(outcome.usage.cost?.toFixed(6), COST.toFixed(6))
})

test('a limit of cost fires on the cost that the price makes', async () => {
  const call = { calls: [{ name: 'none', arguments: {} }], usage: USAGE }
  await using server = await startChatServer([call, { ...saying('so far'), usage: USAGE }])
  const outcome = await run('Do it.', {
    ...{
      model: 'openai-compatible/any',
      baseUrl: server.url,
      price: PRICE,
      limits: { cost: 0.3, contextTokens: 10_000_000 },
    },
  })
  assert.deepEqual([outcome.status, outcome.limit?.limit], ['limit', 'cost'])
})

test('a price of no named model is refused, and so is a limit of cost without a price, which says what to write', async () => {
  await assert.rejects(run('Do it.', { model: scripted([]), price: PRICE }), /price, but not the name of a model/)
  const unpriced = { model: 'openai-compatible/any', baseUrl: 'http://127.0.0.1:9/v1', limits: { cost: 1 } }
  await assert.rejects(run('Do it.', unpriced), (error: Error & { fix?: string }) =>
    /price: \{ input, cachedInput, output \}/.test(error.fix ?? ''),
  )
})

test('a task file says what its model costs: the command shows the cost, and another model has no price', async () => {
  await using tao = await openTao({})
  await tao.script([{ ...saying('done'), usage: USAGE }])
  const task = { task: 'Do it.', model: 'scripted/script.json', price: PRICE, limits: { cost: 1 } }
  await tao.write('x.task.yaml', JSON.stringify(task))
  const ended = await tao.run(['run', 'x.task.yaml'])
  assert.match(ended.stdout, /620,000 tokens · \$0\.3500/)
  const other = await tao.run([
    'run',
    'x.task.yaml',
    '--model',
    'openai-compatible/any',
    '--base-url',
    'http://127.0.0.1:9/v1',
  ])
  assert.match(other.stderr, /the price of openai-compatible\/any is not known/)
  const { model: _, ...nameless } = task
  await tao.write('y.task.yaml', JSON.stringify(nameless))
  assert.match((await tao.run(['run', 'y.task.yaml'])).stderr, /a price, but not the model that it is of/)
})
