import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { environment, ownState } from '../../test/support/own-state.ts'
import { sendJson, serveWeb } from '../../test/support/web-server.ts'
import { type Event, memoryJournal, run, scripted, TaoError } from '../index.ts'
import { chooseTools } from './run-tools.ts'
import { type Environment, readSettings } from './settings.ts'

const folder = await ownState('research')

const settings = (variables: Environment) => readSettings(variables, { uid: 1000, homeFolder: folder })
const choose = (tools: readonly string[], variables: Environment) =>
  chooseTools(tools, { hasWorkspace: false, settings: settings(variables) })

test('a run searches, visits and calculates, with a server of its own and no key', async (context) => {
  const { origin, asked } = await serveWeb(context, (request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end()
    if (request.url === '/river') return void response.end('The river is 40 miles long.')
    sendJson(response, { results: [{ title: 'River', url: `${origin}/river`, content: 'About it.' }] })
  })
  environment(context, { SEARXNG_URL: `${origin}/`, TAO_FETCH_ALLOW: origin })
  const call = (name: string, args: object) => ({ calls: [{ name, arguments: { ...args } }] })
  const model = scripted([
    call('search', { query: 'river length' }),
    call('visit', { url: `${origin}/river`, goal: 'its length in miles' }),
    call('python', { code: 'print(40 * 1.609344)' }),
    { text: 'It is 64.37 km long.' },
  ])
  const journal = memoryJournal()
  const outcome = await run('How long is the river, in km?', {
    model,
    journal,
    tools: ['search', 'visit', 'scholar', 'python'],
  })
  assert.deepEqual([outcome.status, outcome.answer], ['answered', 'It is 64.37 km long.'], outcome.reason)
  const events = await journal.read(outcome.run)
  const seen = events.flatMap((event: Event) => (event.kind === 'call.finished' ? [event.observation] : []))
  assert.match(seen[0] ?? '', /found 1 result \(SearXNG\)/)
  assert.match(seen[1] ?? '', /The river is 40 miles long\.$/)
  assert.equal(seen[2], 'stdout:\n64.37376')
  assert.deepEqual(asked, ['GET /search?q=river+length&format=json&language=en', 'GET /robots.txt', 'GET /river'])
})

test('what a model is shown of invisible characters is an escape, and the bytes are kept', async (context) => {
  const { origin } = await serveWeb(context, (_, response) => void response.end('pay Bob\u{e0041}\u202e now'))
  environment(context, { TAO_FETCH_ALLOW: origin, TAO_FETCH_IGNORE_ROBOTS: '1' })
  const model = scripted([{ calls: [{ name: 'visit', arguments: { url: origin, goal: 'x' } }] }, { text: 'Done.' }])
  await run('Look.', { model, tools: ['visit'] })
  assert.match(model.requests[1]?.messages.at(-1)?.text ?? '', /pay Bob⟨U\+E0041⟩⟨U\+202E⟩ now$/)
})

// The original runs any call that has the word "python" in it as a program.
test('a program comes in code tags, and a search for Python is a search', async (context) => {
  const { origin, asked } = await serveWeb(context, (_, response) => sendJson(response, { results: [] }))
  environment(context, { SEARXNG_URL: origin })
  const model = scripted([
    { text: '<tool_call>\n{"name": "search", "arguments": {"query": ["python <code> tag"]}}\n</tool_call>' },
    { text: '<tool_call>\n{"name": "python", "arguments": {}}\n<code>\nprint(6 * 7)\n</code>\n</tool_call>' },
    { text: '<answer>42</answer>' },
  ])
  const { answer, reason } = await run('What is 6 * 7?', { model, protocol: 'tagged', tools: ['search', 'python'] })
  assert.equal(answer, '42', reason)
  assert.equal(asked.length, 1)
  assert.match(model.requests[2]?.messages.at(-1)?.text ?? '', /stdout:\n42\n/)
})

test('network tools need no sandbox and no workspace; python needs a sandbox', async () => {
  const found = await choose(['search', 'visit', 'scholar'], { SERPER_KEY_ID: 'x' })
  assert.equal(found.needsSandbox, false)
  assert.deepEqual([...found.build(undefined).keys()], ['search', 'visit', 'scholar'])
  const python = await choose(['python'], {})
  assert.equal(python.needsSandbox, true)
  assert.deepEqual([...python.build(undefined).keys()], [])
})

test('a run over a folder of documents searches and reads them, parses a file, and sends nothing', async () => {
  const documents = join(folder, 'documents')
  const workspace = join(folder, 'workspace')
  for (const path of [documents, workspace]) await mkdir(path)
  await writeFile(join(documents, 'elm.md'), 'The Elm is 40 miles long.')
  await writeFile(join(workspace, 'units.csv'), 'unit,km\nmile,1.609344')
  const call = (name: string, args: object) => ({ calls: [{ name, arguments: { ...args } }] })
  const model = scripted([
    call('search', { query: 'length of the Elm' }),
    call('visit', { url: 'corpus:///elm.md', goal: 'its length' }),
    call('parse_file', { files: 'units.csv' }),
    { text: 'It is 64.37 km long.' },
  ])
  const tools = ['search', 'visit', 'parse_file']
  const { status, reason } = await run('How long is the Elm?', { model, tools, workspace, corpus: documents })
  assert.equal(status, 'answered', reason)
  const [, found, read, parsed] = model.requests.map(({ messages }) => messages.at(-1)?.text ?? '')
  assert.match(found ?? '', /\(corpus:\/\/\/elm\.md\)/)
  assert.match(read ?? '', /40 miles long\.$/)
  assert.match(parsed ?? '', /^# units\.csv: 21 characters\n\nunit,km\nmile,1\.609344$/)
})

test('a corpus without a tool to use it with is refused, like one that is not there', async () => {
  const chosen = (tools: readonly string[], corpus: string) =>
    chooseTools(tools, { hasWorkspace: false, corpus, settings: settings({}) })
  await assert.rejects(chosen(['scholar'], folder), { code: 'corpus', message: /neither search nor visit/ })
  await assert.rejects(chosen(['search'], '/nowhere'), { code: 'corpus', message: /no folder \/nowhere/ })
})

test('parse_file needs a workspace', async () => {
  await assert.rejects(choose(['parse_file'], {}), { message: /parse_file needs a workspace/ })
})

test('what only reads the network may be repeated after a crash', async () => {
  const tools = (await choose(['search', 'visit', 'scholar', 'google_scholar'], { TAVILY_API_KEY: 'x' })).build(
    undefined,
  )
  for (const { repeatable } of tools.values()) assert.equal(repeatable, true)
})

test('tools are known by the names of the original too', async () => {
  const model = scripted([
    {
      text: '<tool_call>\n{"name": "PythonInterpreter", "arguments": {}}\n<code>\nprint(6 * 7)\n</code>\n</tool_call>',
    },
    { text: '<answer>42</answer>' },
  ])
  const tools = ['google_scholar', 'PythonInterpreter']
  const { answer, reason } = await run('What is 6 * 7?', { model, compat: 'deep-research', tools })
  assert.equal(answer, '42', reason)
  assert.match(model.requests[0]?.messages[0]?.text ?? '', /"name":"google_scholar".*\n.*"name":"PythonInterpreter"/)
  assert.match(model.requests[1]?.messages.at(-1)?.text ?? '', /stdout:\n42\n/)
})

test('network tools declare that they read and send', async () => {
  const tools = (await choose(['search', 'visit', 'scholar'], { TAVILY_API_KEY: 'x' })).build(undefined)
  for (const { effects } of tools.values()) assert.deepEqual(effects, ['read', 'egress'])
})

const REFUSED: readonly [what: string, tool: string, variables: Environment, words: RegExp, fix: RegExp][] = [
  [
    'no service to search with',
    'search',
    {},
    /needs a service/,
    /SERPER_KEY_ID.*TAVILY_API_KEY.*BRAVE_API_KEY.*SEARXNG_URL/,
  ],
  [
    'a service that is not known',
    'search',
    { TAO_SEARCH: 'brav', BRAVE_API_KEY: 'x' },
    /Did you mean "brave"/,
    /serper/,
  ],
  [
    'a service that is not set',
    'search',
    { TAO_SEARCH: 'brave', TAVILY_API_KEY: 'x' },
    /needs a service/,
    /^Set BRAVE_API_KEY\./,
  ],
  [
    'an address that is none',
    'search',
    { SEARXNG_URL: 'localhost:8888' },
    /SEARXNG_URL holds "localhost:8888"/,
    /http:/,
  ],
  ['a port that is none', 'visit', { TAO_FETCH_PORTS: '443,x' }, /"x", which is no port/, /8443/],
  ['an origin that is none', 'visit', { TAO_FETCH_ALLOW: 'intranet' }, /"intranet", which is no web address/, /http:/],
  ['a second model that is not known', 'visit', { TAO_SUMMARY_MODEL: 'nope/x' }, /not a provider/, /Providers/],
]
for (const [what, tool, variables, words, fix] of REFUSED)
  test(`refused before the run starts: ${what}`, async () => {
    await assert.rejects(choose([tool], variables), (error) => {
      assert.ok(error instanceof TaoError)
      assert.match(error.message, words)
      assert.match(error.fix ?? '', fix)
      return true
    })
  })
