import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Outcome } from '../src/core/outcome.ts'
import { type Ended, eventsIn, openTao, type TaoCommand } from './support/tao-command.ts'

const EXAMPLES = join(import.meta.dirname, '../examples')
const SHOP = join(EXAMPLES, '01-fix-failing-test')
const TASK = join(SHOP, 'fix.task.yaml')

const deliveryCode = await readFile(join(SHOP, 'shop/delivery.py'), 'utf8')

function outcomeOf(ended: Ended): Outcome {
  const last = eventsIn(ended).at(-1)
  assert.ok(last?.kind === 'run.ended', ended.stderr)
  return last.outcome
}

/** Copies the examples, with one file of the shop written anew. Gives the folder of the shop. */
async function copyShop(tao: TaoCommand, path = 'shop/delivery.py', text = deliveryCode): Promise<string> {
  await cp(EXAMPLES, join(tao.folder, 'examples'), { recursive: true })
  await tao.write(`examples/01-fix-failing-test/${path}`, text)
  return join(tao.folder, 'examples/01-fix-failing-test')
}

const runTests = (cwd: string) =>
  spawnSync('python3', ['-B', '-m', 'unittest', 'discover', '-s', 'tests'], { cwd, encoding: 'utf8', timeout: 60_000 })

test('example 01 is broken as it says: one of three tests fails, with 300 instead of 0', () => {
  const { status, stderr } = runTests(SHOP)
  assert.equal(status, 1)
  assert.match(stderr, /AssertionError: 300 != 0\n[\s\S]*Ran 3 tests[\s\S]*FAILED \(failures=1\)/)
})

test('example 01 says first that its model is scripted, and tells how to see and apply the change', async () => {
  await using tao = await openTao()
  const { code, stdout, stderr } = await tao.run(['run', TASK])
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^No real model: .*\n/)
  assert.match(stdout, /^success: /m)
  assert.match(stdout, / diff \d{8}-\S+\n.* apply \d{8}-\S+\n/)
  assert.equal(await readFile(join(SHOP, 'shop/delivery.py'), 'utf8'), deliveryCode)
})

test('example 01 takes five model calls and six tool calls, and its change can be applied', async () => {
  await using tao = await openTao()
  const shop = await copyShop(tao)
  const outcome = outcomeOf(await tao.run(['run', join(shop, 'fix.task.yaml'), '--json', '--apply']))
  const { status, changed, modelCalls, toolCalls } = outcome
  assert.deepEqual([status, changed, modelCalls, toolCalls], ['success', ['shop/delivery.py'], 5, 6])
  assert.match(runTests(shop).stderr, /Ran 3 tests[\s\S]*\nOK\n$/)
})

test('the scripted model of example 01 changes nothing where nothing is broken', async () => {
  await using tao = await openTao()
  const mended = deliveryCode.replace('Path("settings.json")', 'Path(__file__).with_name("settings.json")')
  const shop = await copyShop(tao, 'shop/delivery.py', mended)
  const outcome = outcomeOf(await tao.run(['run', join(shop, 'fix.task.yaml'), '--json']))
  assert.deepEqual([outcome.status, outcome.changed, outcome.modelCalls], ['success', [], 2])
  assert.match(outcome.answer ?? '', /pass as they are/)
})

const SURPRISES = [
  ['another bug in the code', 'shop/delivery.py', deliveryCode.replace('Path("settings.json")', 'Path(__file__)')],
  ['settings that explain nothing', 'shop/settings.json', '{ "delivery_fee": 300, "free_delivery_from": 4000 }'],
  ['a test that cannot be loaded', 'tests/test_delivery.py', 'import shop.nothing\n'],
] as const

for (const [surprise, path, text] of SURPRISES)
  test(`the scripted model of example 01 says so when it finds ${surprise}, and claims no success`, async () => {
    await using tao = await openTao()
    const shop = await copyShop(tao, path, text)
    const outcome = outcomeOf(await tao.run(['run', join(shop, 'fix.task.yaml'), '--json', '--rejected-claims', '1']))
    assert.deepEqual([outcome.status, outcome.changed], ['failed', []])
    assert.match(outcome.answer ?? '', /not what I expected/)
  })

test('example 00 says first that its model is scripted, and answers with what its tool returned', () => {
  const agent = join(EXAMPLES, '00-library/agent.ts')
  const env = { PATH: process.env.PATH }
  const { status, stdout, stderr } = spawnSync(process.execPath, [agent], { env, encoding: 'utf8', timeout: 60_000 })
  assert.equal(status, 0, stderr)
  const [first, ...rest] = stdout.trimEnd().split('\n')
  assert.match(first ?? '', /^No real model/)
  assert.deepEqual(rest, ['answered: No: 4 cups for 6 guests.'])
})

const BOT = join(EXAMPLES, '05-reminder/bot.ts')
const WISH = 'remind me in two minutes to go for a walk, but only between 9 and 18'

test('example 05 sets a reminder in working hours; killed meanwhile, it tells it when it is started again', async () => {
  await using tao = await openTao()
  const file = join(tao.folder, 'reminders.sqlite')
  const first = spawn(process.execPath, [BOT, '--file', file, '--clock', '10:00', WISH], {
    env: { PATH: process.env.PATH },
  })
  let printed = ''
  for await (const chunk of first.stdout) {
    printed += chunk
    if (/^\S+ Waiting: 1\./m.test(printed)) first.kill('SIGKILL')
  }
  assert.match(printed, /^10:0\d No real model: .*\n.* datetime: .*\n.* reminder: Set: .*\n.* Done: /)
  const second = runBot(['--file', file, '--clock', '11:00'])
  assert.match(second, /^11:0\d Reminder: go for a walk\n11:0\d Nothing is waiting\.\n$/)
})

test('example 05 sets nothing outside of working hours, also for a model in a hurry, and says so', async () => {
  await using tao = await openTao()
  const printed = runBot(['--file', join(tao.folder, 'reminders.sqlite'), '--clock', '20:30', '--hasty', WISH])
  assert.match(
    printed,
    / reminder: No reminder was set\. .*\n.* It is 20:3\d, .* no reminder\.\n.* Nothing is waiting\.\n$/,
  )
})

function runBot(args: readonly string[]): string {
  const env = { PATH: process.env.PATH }
  return spawnSync(process.execPath, [BOT, ...args], { env, encoding: 'utf8', timeout: 60_000 }).stdout
}

const RESEARCH = join(EXAMPLES, '02-deep-research')
/** Lines without what differs from run to run, and from one version of Tao to the next. */
const linesOf = (text: string): string[] =>
  text.split('\n').map((line) => line.replace(/, [\d,]+ tokens, .*| \(event \d+\)$/, ''))

test('example 02 answers by searching, reading and calculating, and prints what its README shows', async () => {
  await using tao = await openTao()
  const { code, stdout, stderr } = await tao.run(['run', join(RESEARCH, 'research.task.yaml')])
  assert.equal(code, 0, stderr)
  const readme = await readFile(join(RESEARCH, 'README.md'), 'utf8')
  const [first, ...shown] = linesOf(/^```text\n(.*?)^```$/ms.exec(readme)?.[1] ?? '')
  assert.equal(stderr.split('\n')[0], first)
  const printed = linesOf(stdout)
  assert.ok(shown.includes('16030 litres'))
  for (const line of shown) assert.ok(printed.includes(line), line)
})

test('the scripted model of example 02 knows nothing by heart: another document, another answer', async () => {
  await using tao = await openTao()
  await cp(EXAMPLES, join(tao.folder, 'examples'), { recursive: true })
  const bridge = 'examples/02-deep-research/corpus/bridges/tern-viaduct.md'
  await tao.write('examples/02-deep-research/corpus/mara-holt.md', '# Mara Holt\n\nShe built one:\n\n- Tern Viaduct\n')
  await tao.write(bridge, '# Tern Viaduct\n\nThe Tern Viaduct is 1000 metres long.\n')
  const ended = await tao.run(['run', join(tao.folder, 'examples/02-deep-research/research.task.yaml'), '--json'])
  const called = eventsIn(ended).flatMap((event) => (event.kind === 'call.started' ? [event.name] : []))
  assert.deepEqual(called, ['search', 'visit', 'search', 'visit', 'search', 'visit', 'python'])
  assert.equal(outcomeOf(ended).answer, '3500 litres')
})

test('the scripted model of example 02 answers eleven of the twelve questions, and leaves the other one open', async () => {
  await using tao = await openTao()
  const task = join(RESEARCH, 'questions.task.yaml')
  const out = join(tao.folder, 'results')
  const { code, stderr } = await tao.run(['batch', join(RESEARCH, 'dataset.jsonl'), '--task', task, '--out', out])
  assert.equal(code, 0, stderr)
  const records = (await readFile(join(out, 'rollout-1.jsonl'), 'utf8')).trim().split('\n')
  const read = records.map((line) => JSON.parse(line) as { readonly answer: string; readonly prediction: string })
  assert.equal(read.length, 12)
  const missed = read.filter(({ answer, prediction }) => answer !== prediction)
  assert.deepEqual(
    missed.map(({ prediction }) => prediction),
    ['I do not know.'],
  )
})
