import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import { bodyOf, sendJson, serveWeb } from '../../../test/support/web-server.ts'
import { openBroker } from '../fetch/broker.ts'
import type { FetchLimits } from '../fetch/fetch-limits.ts'
import type { Tool } from '../tool.ts'
import { search } from './search.ts'
import { brave, type SearchService, searxng, serper, tavily } from './search-service.ts'
import type { ServiceAccess } from './service.ts'

const KEY = 'sk-very-secret'

interface Bench {
  readonly access: ServiceAccess & { readonly baseUrl: string }
  readonly waits: number[]
  readonly asked: readonly string[]
}

/** A service at a loopback address. Waits between attempts are written down, not waited for. */
async function bench(
  context: TestContext,
  listener: RequestListener,
  limits: Partial<FetchLimits> = {},
): Promise<Bench> {
  const { origin, asked } = await serveWeb(context, listener)
  const waits: number[] = []
  const sleep = async (milliseconds: number) => void waits.push(milliseconds)
  const broker = openBroker({ allowed: [origin], limits })
  return { access: { broker, baseUrl: origin, key: KEY, retry: { sleep } }, waits, asked }
}

async function run(tool: Tool, query: string | string[]) {
  const read = await tool.validate({ query })
  assert.ok(read.ok, JSON.stringify(read))
  return await tool.execute(read.input, {
    call: 'c1',
    client: 'local',
    idempotencyKey: 'key',
    signal: new AbortController().signal,
  })
}

const found = (count: number) => ({
  organic: Array.from({ length: count }, (_, i) => ({
    title: `T${i}`,
    link: `https://a.example/${i}`,
    snippet: `S${i}`,
  })),
})

test('a result has title, address, date, source and snippet, as far as they are there', async (context) => {
  const organic = [
    { title: 'First', link: 'https://a.example/', snippet: 'Words.', date: 'Jan 1, 2026', source: 'The Times' },
    { title: 'Second\nline', link: 'https://b.example/', snippet: "Your browser can't play this video. Rest." },
    { title: 'No address' },
    null,
  ]
  const { access } = await bench(context, (_, response) => sendJson(response, { organic }))
  const { ok, text } = await run(search(serper(access)), 'river')
  assert.equal(ok, true)
  assert.equal(
    text,
    [
      'The search for "river" found 2 results (Serper):',
      '## Web results',
      '1. [First](https://a.example/)\nDate: Jan 1, 2026\nSource: The Times\nWords.',
      '2. [Second line](https://b.example/)\nRest.',
    ].join('\n\n'),
  )
})

test('several queries are searched one after the other, each once, and joined by a line', async (context) => {
  const seen: string[] = []
  let open = 0
  const { access } = await bench(context, async (request, response) => {
    assert.equal(++open, 1)
    seen.push((JSON.parse(await bodyOf(request)) as { q: string }).q)
    open -= 1
    sendJson(response, found(1))
  })
  const { text, value } = await run(search(serper(access)), ['a', ' b ', 'a'])
  assert.deepEqual(seen, ['a', 'b'])
  assert.deepEqual(
    text.split('\n=======\n').map((part) => part.split('\n', 1)[0]),
    ['The search for "a" found 1 result (Serper):', 'The search for "b" found 1 result (Serper):'],
  )
  assert.equal(Array.isArray(value) && value.length, 2)
})

test('a list of queries in text is one query; none, an empty one and too many are refused before anything is asked', async () => {
  const tool = search({ name: 'x', search: async () => [] })
  for (const query of [[], '', '  ', ['a', ''], 'x'.repeat(401), Array.from({ length: 11 }, (_, i) => `q${i}`), 3])
    assert.equal((await tool.validate({ query })).ok, false, JSON.stringify(query))
  assert.equal((await tool.validate({})).ok, false)
})

test('nothing found is told as that, and is no failure', async (context) => {
  const { access, waits } = await bench(context, (_, response) => sendJson(response, { organic: [] }))
  const { ok, text } = await run(search(serper(access)), 'xyzzy')
  assert.equal(ok, true)
  assert.match(text, /found nothing \(Serper\)\. Try a more general query/)
  assert.deepEqual(waits, [])
})

// The original tells a refused key as "no results": https://github.com/TransformerOptimus/SuperAGI/issues/210 shows where that leads.
test('a refused key is told as that, at once, without the key', async (context) => {
  const { access, asked } = await bench(context, (_, response) =>
    sendJson(response, { message: `${KEY} is not valid` }, 403),
  )
  const { ok, text } = await run(search(serper(access)), 'river')
  assert.equal(ok, false)
  assert.match(text, /The search for "river" failed.*HTTP status 403: the key was refused.*\[key\] is not valid/)
  assert.doesNotMatch(text, new RegExp(KEY))
  assert.equal(asked.length, 1)
})

test('trouble that may pass is asked again, five times in all, with growing waits', async (context) => {
  const { access, asked, waits } = await bench(context, (_, response) => sendJson(response, {}, 503))
  const { ok, text } = await run(search(serper(access)), 'river')
  assert.equal(ok, false)
  assert.match(text, /HTTP status 503.*\(after 5 attempts\)/)
  assert.equal(asked.length, 5)
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000])
})

test('a service that says when to come back is believed, within reason', async (context) => {
  const answers = ['2', '900', '']
  const { access, waits } = await bench(context, (_, response) => {
    const after = answers.shift()
    if (after === '') return sendJson(response, found(1))
    response.writeHead(429, { 'retry-after': after ?? '' }).end()
  })
  assert.equal((await run(search(serper(access)), 'river')).ok, true)
  assert.deepEqual(waits, [2_000, 10_000])
})

test('a broken connection and a silent service are asked again, then told', async (context) => {
  const broken = await bench(context, (request) => void request.socket.destroy())
  assert.match((await run(search(serper(broken.access)), 'river')).text, /could not be reached.*after 5 attempts/)
  const silent = await bench(context, () => {}, { firstByte: 60 })
  const access = { ...silent.access, retry: { waits: [] } }
  assert.match((await run(search(serper(access)), 'river')).text, /did not begin to answer within 0\.06 s/)
})

test('an answer that is no JSON, or not as expected, is no crash', async (context) => {
  const texts = ['<html>', '[]', 'null', '{"organic": {"a": 1}}']
  const { access } = await bench(context, (_, response) => void response.end(texts.shift()))
  assert.match((await run(search(serper(access)), 'river')).text, /Its answer is no JSON/)
  for (let i = 0; i < 3; i++) assert.match((await run(search(serper(access)), 'river')).text, /found nothing/)
})

test('a query that fails does not spoil the others', async (context) => {
  const { access } = await bench(context, async (request, response) =>
    (await bodyOf(request)).includes('bad') ? sendJson(response, {}, 400) : sendJson(response, found(2)),
  )
  const { ok, text } = await run(search(serper(access)), ['bad', 'good'])
  assert.equal(ok, true)
  assert.match(text, /"bad" failed[\s\S]*=======[\s\S]*"good" found 2 results/)
})

test('a cancelled search stops at once', async (context) => {
  const { access } = await bench(context, () => {})
  const call = search(serper(access)).execute(
    { query: ['a'] },
    { call: 'c1', client: 'local', idempotencyKey: 'key', signal: AbortSignal.timeout(20) },
  )
  await assert.rejects(call, { name: 'TimeoutError' })
})

const SERVICES: readonly [
  make: (access: Bench['access']) => SearchService,
  asked: string,
  header: string,
  answer: object,
][] = [
  [
    serper,
    'POST /search',
    'x-api-key',
    { organic: [{ title: 'T', link: 'https://a.example/', snippet: 'S', date: 'D' }] },
  ],
  [
    tavily,
    'POST /search',
    'authorization',
    { results: [{ title: 'T', url: 'https://a.example/', content: 'S', published_date: 'D' }] },
  ],
  [
    brave,
    'GET /res/v1/web/search?q=%E6%B2%B3&count=10&country=cn&text_decorations=false&search_lang=zh-hans',
    'x-subscription-token',
    { web: { results: [{ title: 'T', url: 'https://a.example/', description: 'S', page_age: 'D' }] } },
  ],
  [
    searxng,
    'GET /search?q=%E6%B2%B3&format=json&language=zh-CN',
    'accept',
    { results: [{ title: 'T', url: 'https://a.example/', content: 'S', publishedDate: 'D' }] },
  ],
]
for (const [make, expected, header, answer] of SERVICES)
  test(`${make.name} is asked as it wants to be asked, and read`, async (context) => {
    let sent: unknown
    const { access, asked } = await bench(context, (request, response) => {
      sent = request.headers[header]
      sendJson(response, answer)
    })
    const hits = await make(access).search('河', new AbortController().signal)
    assert.deepEqual(hits, [{ title: 'T', link: 'https://a.example/', snippet: 'S', date: 'D' }])
    assert.deepEqual(asked, [expected])
    assert.match(String(sent), make === searxng ? /json/ : new RegExp(KEY))
  })

test('Serper and Tavily are told the place of the query', async (context) => {
  const bodies: unknown[] = []
  const { access } = await bench(context, async (request, response) => {
    bodies.push(JSON.parse(await bodyOf(request)))
    sendJson(response, {})
  })
  for (const query of ['河', 'river']) {
    await serper(access).search(query, new AbortController().signal)
    await tavily(access).search(query, new AbortController().signal)
  }
  assert.deepEqual(bodies, [
    { q: '河', location: 'China', gl: 'cn', hl: 'zh-cn' },
    { query: '河', max_results: 10, country: 'china' },
    { q: 'river', location: 'United States', gl: 'us', hl: 'en' },
    { query: 'river', max_results: 10 },
  ])
})
