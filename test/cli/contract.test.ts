import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { calling, saying } from '../support/bench.ts'
import { openTao } from '../support/tao-command.ts'

const TASK = `
task: Find out what is sold.
workspace: { path: project, protect: [a.json] }
tools: [read_file]
limits: { modelCalls: 4 }
outOfScope: [Do not change anything.]
facts:
  product: { tool: read_file, with: { path: a.json }, pattern: '/"name": "(.+?)"/' }
answer: We sell {{product}}.
done:
  - fact: product
  - { file: a.json }
`

test('--explain prints the contract in words and runs nothing', async () => {
  await using tao = await openTao({ 'a.json': '{"name": "tea"}' })
  await tao.write('shop.task.yaml', TASK)
  const { code, stdout, stderr } = await tao.run(['run', 'shop.task.yaml', '--explain'])
  assert.equal(code, 0, stderr)
  for (const line of [
    '  fact: product',
    '  file: a.json (tried before the first step)',
    '  product: read_file { path: "a.json" }',
    '  We sell {{product}}.',
    '  read_file (read)',
    '  without changing a.json',
    '  Do not change anything.',
    '  4 requests to the model',
  ])
    assert.ok(stdout.split('\n').includes(line), `${line}\n${stdout}`)
  assert.deepEqual((await readdir(tao.folder)).sort(), ['project', 'shop.task.yaml'])
})

test('a task that cannot work is refused by --explain as by the run itself', async () => {
  await using tao = await openTao()
  await tao.write('x.task.yaml', 'task: x\nanswer: It is {{totl}}.\nfacts: { total: { tool: look, path: total } }')
  for (const more of [['--explain'], await tao.script([])]) {
    const { code, stderr } = await tao.run(['run', 'x.task.yaml', ...more])
    assert.equal(code, 2)
    assert.match(stderr, /names the fact "totl"\. Did you mean "total"\?/)
  }
})

test('a run answers from facts, and says what was true before anything was done', async () => {
  await using tao = await openTao({ 'a.json': '{"name": "tea"}' })
  await tao.write('shop.task.yaml', TASK)
  const model = await tao.script([saying('Coffee.'), calling('read_file', { path: 'a.json' }), saying('Coffee!')])
  const { code, stdout, stderr } = await tao.run(['run', 'shop.task.yaml', ...model])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /\n\nWe sell tea\.\n\n/)
  assert.match(stdout, /✓ file: a\.json \(this was true before anything was done\): /)
  assert.match(stdout, /facts:\n {2}product: tea, from read_file \{"path":"a\.json"\} \(event \d+\)/)
  assert.match(stderr, /= product: tea\n/)
})

test('show --why says in a sentence where a run that failed left the path', async () => {
  await using tao = await openTao({ 'a.json': '{"name": "tea"}' })
  await tao.write('shop.task.yaml', TASK)
  const model = await tao.script([saying('Coffee.'), saying('Coffee!')])
  const run = await tao.run(['run', 'shop.task.yaml', ...model, '--quiet', '--rejected-claims', '2'])
  assert.equal(run.code, 1, run.stderr)
  const { stdout } = await tao.run(['show', 'latest', '--why'])
  assert.match(
    stdout,
    /^The run ended as failed at step 2: .*It left the path at step 1: it said that it was done, without "fact: product"/,
  )
})
