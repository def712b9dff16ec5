import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readPreset } from '../src/app/task-request.ts'
import type { JsonObject } from '../src/core/json.ts'
import { openBatchBench } from './support/batch.ts'
import { calling, saying } from './support/bench.ts'
import { startChatServer } from './support/chat-server.ts'
import { openTao } from './support/tao-command.ts'
import { sendJson, serveWeb } from './support/web-server.ts'

const tagged = (name: string, args: JsonObject): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`

test('tao run --preset research --corpus DIR works with no key and no network, under the policy research too', async () => {
  await using tao = await openTao()
  await tao.write('letters/elm.md', '# The Elm\n\nThe Elm is 40 miles long.')
  const model = await tao.script([
    saying(tagged('search', { query: ['length of the Elm'] })),
    saying(tagged('visit', { url: ['corpus:///elm.md'], goal: 'its length' })),
    saying('<answer>40 miles</answer>'),
  ])
  const words = ['run', 'How long is the Elm?', '--preset', 'research', '--corpus', 'letters', '--policy', 'research']
  const { code, stdout, stderr } = await tao.run([...words, ...model])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /40 miles/)
  const events = (await tao.journal())[0] ?? []
  const seen = events.flatMap((event) => (event.kind === 'call.finished' ? [event.observation] : []))
  assert.match(seen[1] ?? '', /The Elm is 40 miles long\.$/, stderr)
})

test('an item with files gets parse_file, one without does not', async () => {
  const read = tagged('parse_file', { files: ['units.csv'] })
  await using service = await startChatServer(({ body }) => {
    const messages = JSON.stringify(body)
    return saying(messages.includes('mile,1.609344') ? '<answer>1.609344</answer>' : read)
  })
  const rows = [{ question: 'How long is a mile, in km?', files: ['units.csv'] }]
  using bench = openBatchBench({ rows: [...rows, { question: 'And a foot?' }], url: service.url })
  mkdirSync(join(bench.folder, 'file_corpus'))
  mkdirSync(join(bench.folder, 'letters'))
  writeFileSync(join(bench.folder, 'file_corpus/units.csv'), 'unit,km\nmile,1.609344')
  await bench.run({ task: 'research', overrides: { corpus: 'letters', limits: { modelCalls: 3 } } })
  const [without, withFile] = bench.records().toSorted((a, b) => a.question.length - b.question.length)
  assert.equal(withFile?.prediction, '1.609344', withFile?.error)
  assert.match(without?.messages.map(({ content }) => content).join('\n') ?? '', /There is no tool "parse_file"/)
})

test('with a corpus nothing asks the web, unless it was named for this run', async () => {
  const toolsOf = async (overrides: object, workspace?: string) => {
    const preset = await readPreset('research', { folder: '/nowhere', ...overrides })
    return preset.about('x', workspace === undefined ? undefined : { path: workspace, protect: [] }).tools
  }
  assert.deepEqual(await toolsOf({}), ['search', 'visit', 'scholar', 'python'])
  assert.deepEqual(await toolsOf({ corpus: 'letters' }, '/w'), ['search', 'visit', 'python', 'parse_file'])
  assert.deepEqual(await toolsOf({ corpus: 'letters', tools: ['search', 'scholar'] }), ['search', 'scholar'])
})

test('what a second model costs counts towards the limit of a batch', async (context) => {
  const { origin } = await serveWeb(context, (request, response) => {
    if (request.method === 'GET') return void response.end('The Elm is 40 miles long.')
    const message = { role: 'assistant', content: '{"evidence": "40 miles", "summary": "40 miles."}' }
    sendJson(response, {
      choices: [{ message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1_000, completion_tokens: 0 },
    })
  })
  const USAGE = { inputFresh: 1, output: 1 }
  await using service = await startChatServer(({ body }) =>
    JSON.stringify(body).includes('40 miles')
      ? { text: '40 miles', usage: USAGE }
      : { ...calling('visit', { url: origin, goal: 'x' }), usage: USAGE },
  )
  const price = 'price: { input: 1, cachedInput: 1, output: 1 }'
  using bench = openBatchBench({
    rows: Array.from({ length: 3 }, (_, at) => ({ question: `How long is river ${at}?` })),
    url: service.url,
    task: `task: "{{question}}"\ntools: [visit]\nmodel: openai-compatible/m\n${price}\n`,
    environment: {
      ...{ TAO_FETCH_ALLOW: origin, TAO_FETCH_IGNORE_ROBOTS: '1', TAO_SUMMARY_PRICE: '1000,1000,1000' },
      ...{ API_BASE: `${origin}/v1`, SUMMARY_MODEL_NAME: 'small' },
    },
  })
  const end = await bench.run({ limits: { cost: 1.5 }, concurrency: 1 })
  assert.deepEqual([end.stopped, end.cost?.toFixed(2)], ['cost', '2.00'])
})
