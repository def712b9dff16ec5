import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import { bodyOf, sendJson, serveWeb } from '../../../test/support/web-server.ts'
import { openBroker } from '../fetch/broker.ts'
import { scholar } from './scholar.ts'
import { arxiv, openAlex, type ScholarService, serperScholar } from './scholar-service.ts'

const never = new AbortController().signal

async function serve(context: TestContext, listener: RequestListener) {
  const { origin, asked } = await serveWeb(context, listener)
  const sleep = async () => {}
  return {
    access: { broker: openBroker({ allowed: [origin] }), baseUrl: origin, key: 'sk-1', retry: { sleep } },
    asked,
  }
}

async function run(services: readonly ScholarService[], query: string | string[]) {
  const tool = scholar(services)
  const read = await tool.validate({ query })
  assert.ok(read.ok)
  return await tool.execute(read.input, { call: 'c1', client: 'local', idempotencyKey: 'key', signal: never })
}

test('a work has its PDF or a mark that there is none, where it was published, its year, citations and snippet', async (context) => {
  const organic = [
    {
      title: 'A',
      link: 'https://a.example/',
      pdfUrl: 'https://a.example/a.pdf',
      publicationInfo: 'B Author - Journal, 2020',
      year: 2020,
      citedBy: 7,
      snippet: 'Words.',
    },
    { title: 'B' },
    {},
  ]
  const bodies: string[] = []
  const { access, asked } = await serve(context, async (request, response) => {
    bodies.push(await bodyOf(request))
    sendJson(response, { organic })
  })
  const { text } = await run([serperScholar(access)], '河')
  assert.equal(
    text,
    [
      'The search for "河" found 2 works (Google Scholar by Serper):',
      '## Scholar results',
      '1. [A](https://a.example/)\nPDF: https://a.example/a.pdf\nPublished: B Author - Journal, 2020\nYear: 2020\nCited by: 7\nWords.',
      '2. B\nPDF: no link',
    ].join('\n\n'),
  )
  assert.deepEqual([asked, bodies], [['POST /scholar'], ['{"q":"河"}']])
})

test('three queries at most are searched side by side; the answers keep their order', async () => {
  let open = 0
  let most = 0
  const service: ScholarService = {
    name: 'slow',
    async search(query) {
      most = Math.max(most, ++open)
      await new Promise((resolve) => setTimeout(resolve, query === 'a' ? 15 : 3))
      open -= 1
      return [{ title: query }]
    },
  }
  const { text } = await run([service], ['a', 'b', 'c', 'd', 'e'])
  assert.equal(most, 3)
  assert.deepEqual(
    [...text.matchAll(/^1\. (.)$/gm)].map(([, title]) => title),
    ['a', 'b', 'c', 'd', 'e'],
  )
  assert.equal(text.split('\n=======\n').length, 5)
})

const OPENALEX = {
  results: [
    {
      id: 'https://openalex.org/W1',
      display_name: 'Deep Rivers',
      doi: 'https://doi.org/10.1/x',
      publication_year: 2021,
      cited_by_count: 0,
      authorships: [{ author: { display_name: 'Ann A' } }, { author: { display_name: 'Ben B' } }, {}],
      primary_location: { source: { display_name: 'River Letters' } },
      best_oa_location: { pdf_url: 'https://a.example/x.pdf' },
      abstract_inverted_index: { rivers: [1], Some: [0], run: [2, 3] },
    },
    { id: 'https://openalex.org/W2', display_name: 'Other', abstract_inverted_index: null },
  ],
}

const FEED = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>ArXiv Query</title>
<entry><id>http://arxiv.org/abs/1</id><published>2022-05-01T00:00:00Z</published><title>Deep
  Rivers</title><summary>Same.</summary><author><name>Ann A</name></author></entry>
<entry><id>http://arxiv.org/abs/2</id><published>2023-05-01T00:00:00Z</published><title>Shallow &amp; wide</title>
<summary>All about it.</summary><author><name>Cy C</name></author><author><name>Di D</name></author>
<link href="http://arxiv.org/abs/2" rel="alternate"/><link title="pdf" href="http://arxiv.org/pdf/2" rel="related"/></entry></feed>`

test('without a key OpenAlex and arXiv are asked, and what both have stands once', async (context) => {
  const { access, asked } = await serve(context, (request, response) =>
    request.url?.startsWith('/works') ? sendJson(response, OPENALEX) : void response.end(FEED),
  )
  const { key: _, ...keyless } = access
  const { text } = await run([openAlex(keyless), arxiv(keyless)], 'deep "rivers": (a|b)*')
  assert.equal(
    text,
    [
      'The search for "deep "rivers": (a|b)*" found 3 works (OpenAlex, arXiv):',
      '## Scholar results',
      '1. [Deep Rivers](https://doi.org/10.1/x)\nPDF: https://a.example/x.pdf\nPublished: Ann A, Ben B, River Letters\nYear: 2021\nCited by: 0\nSome rivers run run',
      '2. [Other](https://openalex.org/W2)\nPDF: no link',
      '3. [Shallow & wide](http://arxiv.org/abs/2)\nPDF: http://arxiv.org/pdf/2\nPublished: Cy C, Di D, arXiv\nYear: 2023\nAll about it.',
    ].join('\n\n'),
  )
  assert.deepEqual([...asked].sort(), [
    'GET /api/query?search_query=all%3Adeep+rivers+a+b&max_results=10',
    'GET /works?search=deep+rivers+a+b&per_page=10',
  ])
})

test('a key of OpenAlex goes with the question', async (context) => {
  const { access, asked } = await serve(context, (_, response) => sendJson(response, OPENALEX))
  await openAlex(access).search('x', never)
  assert.deepEqual(asked, ['GET /works?search=x&per_page=10&api_key=sk-1'])
})

test('a key that stands in an address is in no message', async (context) => {
  const ways: RequestListener[] = [
    (request) => void request.socket.destroy(),
    (request, response) => void response.writeHead(302, { location: request.url ?? '' }).end(),
    (request, response) => sendJson(response, { error: `no such page: ${request.url}` }, 404),
  ]
  for (const way of ways) {
    const { access } = await serve(context, way)
    const { ok, text } = await run([openAlex(access)], `${'long '.repeat(50)}query`)
    assert.equal(ok, false)
    assert.doesNotMatch(text, /sk-1/)
  }
})

test('a service that fails is told beside what the others found; all that fail are a failure', async (context) => {
  const { access } = await serve(context, (request, response) =>
    request.url?.startsWith('/works') ? sendJson(response, { error: 'no' }, 500) : void response.end(FEED),
  )
  const some = await run([openAlex(access), arxiv(access)], 'x')
  assert.equal(some.ok, true)
  assert.match(
    some.text,
    /found 2 works[\s\S]*Not searched: OpenAlex: It answered with HTTP status 500.*after 5 attempts/,
  )
  const none = await run([openAlex(access)], 'x')
  assert.equal(none.ok, false)
  assert.match(none.text, /failed, so nothing is known/)
})

test('nothing found is told as that', async (context) => {
  const { access } = await serve(context, (_, response) => void response.end('<feed></feed>'))
  assert.match((await run([arxiv(access)], 'x')).text, /found nothing \(arXiv\)/)
})
