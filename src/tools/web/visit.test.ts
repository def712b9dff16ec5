import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import { pdfOf } from '../../../test/support/pdf.ts'
import { serveWeb } from '../../../test/support/web-server.ts'
import { untilAborted } from '../../core/deadline.ts'
import type { JsonObject } from '../../core/json.ts'
import { NO_USAGE } from '../../core/usage.ts'
import type { Ask } from '../ask.ts'
import { type BrokerOptions, openBroker } from '../fetch/broker.ts'
import { jinaReader, ownReader, type PageReader } from './pages.ts'
import { openRobots } from './robots.ts'
import { type VisitOptions, visit } from './visit.ts'

const never = new AbortController().signal

async function run(options: VisitOptions, url: string | string[], goal = 'how long is the river', signal = never) {
  const tool = visit(options)
  const read = await tool.validate({ url, goal })
  assert.ok(read.ok)
  return await tool.execute(read.input, { call: 'c1', client: 'local', idempotencyKey: 'key', signal })
}

const text =
  (words: string, type = 'text/plain'): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type }).end(words)

async function site(context: TestContext, listener: RequestListener, options: Partial<BrokerOptions> = {}) {
  const server = await serveWeb(context, listener)
  const broker = openBroker({ allowed: [server.origin], ...options })
  return { ...server, broker, pages: ownReader({ broker }) }
}

test('without a second model a short page is shown whole, with its address, the goal and its title', async (context) => {
  const { pages, origin } = await site(
    context,
    text('<title>Rivers</title><p>It is <b>40</b> miles long.</p>', 'text/html'),
  )
  const result = await run({ pages }, `${origin}/a`)
  const header = `What ${origin}/a says about the goal "how long is the river":`
  assert.equal(result.text, `${header}\n\nTitle: Rivers\n\n## The whole page\n\nIt is **40** miles long.`)
  assert.equal(result.ok, true)
})

test('of long pages only passages are shown, so that those of all addresses fit into one observation', async () => {
  const pages: PageReader = { read: async (url) => ({ url, text: 'The river is long.\n\n'.repeat(2_000) }) }
  const urls = Array.from({ length: 20 }, (_, i) => `https://a.example/${i}`)
  assert.ok((await run({ pages }, urls)).text.length < 24_000 + 20 * 200)
  assert.match((await run({ pages }, 'https://a.example/')).text, /^[\s\S]{4000,6500}$/)
})

test('PDF and plain text are read as well', async (context) => {
  const { pages, origin } = await site(context, (request, response) => {
    if (request.url === '/a.pdf') return void response.end(pdfOf(['Forty miles']))
    response.end('Plain words')
  })
  const result = await run({ pages }, [`${origin}/a.pdf`, `${origin}/b`])
  assert.match(result.text, /\[page 1 of 1\]\nForty miles\n=======\n[\s\S]*Plain words$/)
})

test('one address that fails does not spoil the others, and each says why', async (context) => {
  const { pages, origin } = await site(context, (request, response) => {
    if (request.url === '/broken') return void request.socket.destroy()
    if (request.url === '/picture') return void response.writeHead(200, { 'content-type': 'image/png' }).end('x')
    response.writeHead(request.url === '/good' ? 200 : 404).end('Forty miles.')
  })
  const urls = [
    `${origin}/gone`,
    `${origin}/broken`,
    `${origin}/picture`,
    'https://169.254.169.254/',
    'nonsense',
    `${origin}/good`,
  ]
  const { ok, text: shown } = await run({ pages }, urls)
  const parts = shown.split('\n=======\n')
  assert.equal(ok, true)
  for (const [index, words] of [
    /HTTP status 404: there is no such page/,
    /could not be reached/,
    /image\/png/,
    /no numeric addresses/,
    /no whole address/,
    /Forty miles\.$/,
  ].entries())
    assert.match(parts[index] ?? '', words)
  assert.equal((await run({ pages }, 'nonsense')).ok, false)
})

test('a reader that breaks in any way spoils its own address only', async () => {
  const pages: PageReader = {
    read: async (url) => {
      if (url === 'https://a.example/') throw new TypeError('x is not a function')
      return { url, text: 'Fine.' }
    },
  }
  const result = await run({ pages }, ['https://a.example/', 'https://b.example/'])
  assert.match(result.text, /could not be read\. x is not a function\n=======\n[\s\S]*Fine\.$/)
})

test('when the time for a call is used up, what is left is told as not read', async () => {
  const pages: PageReader = {
    read: (url, signal) =>
      url === 'https://a.example/fast'
        ? Promise.resolve({ url, text: 'Forty miles.' })
        : untilAborted(new Promise(() => {}), signal),
  }
  const urls = ['fast', 'slow1', 'slow2', 'slow3', 'never'].map((path) => `https://a.example/${path}`)
  const { ok, text: shown } = await run({ pages, totalTime: 30 }, urls)
  assert.equal(ok, true)
  assert.equal(shown.match(/0\.03 s for one call are used up/g)?.length, 4)
  assert.match(shown, /^What [\s\S]*Forty miles/)
})

test('a cancelled call throws what cancelled it', async (context) => {
  const { pages, origin } = await site(context, () => {})
  await assert.rejects(run({ pages }, origin, 'x', AbortSignal.timeout(30)), { name: 'TimeoutError' })
})

test('where a page was found in the end is told', async (context) => {
  const { pages, origin } = await site(context, (request, response) =>
    request.url === '/new' ? void response.end('Here.') : void response.writeHead(301, { location: '/new' }).end(),
  )
  assert.match(
    (await run({ pages }, `${origin}/old`)).text,
    new RegExp(`^What ${origin}/old \\(found at ${origin}/new\\) says`),
  )
})

const EXTRACT = { rational: 'r', evidence: 'It is 40 miles long.', summary: 'Forty miles.' }

test('a second model picks evidence and summary, and is shown no invisible text', async (context) => {
  const { pages, origin } = await site(context, text('It is 40 miles long.\u{e0041}'))
  const asked: string[] = []
  const ask: Ask = async (messages) => {
    asked.push(messages.map((message) => message.text).join('\n'))
    return { text: `Here it is:\n\`\`\`json\n${JSON.stringify(EXTRACT)}\n\`\`\``, usage: NO_USAGE }
  }
  const { text: shown, value } = await run({ pages, ask }, origin)
  assert.match(
    shown,
    /says about the goal[\s\S]*## Evidence in the page\n\nIt is 40 miles long\.\n\n## Summary\n\nForty miles\.$/,
  )
  assert.deepEqual(value, [{ url: `${origin}/`, ...EXTRACT }])
  assert.match(asked[0] ?? '', /Goal: how long is the river[\s\S]*miles long\.⟨U\+E0041⟩/)
})

test('what a second model used is told with the result, replies that were of no use included', async () => {
  const pages: PageReader = { read: async (url) => ({ url, text: 'It is 40 miles long.' }) }
  const used = { ...NO_USAGE, inputFresh: 90, output: 10, cost: 0.25 }
  const replies = ['I could not make JSON of it.', JSON.stringify(EXTRACT), JSON.stringify(EXTRACT)]
  const ask: Ask = async () => ({ text: replies.shift() ?? '', usage: used })
  const result = await run({ pages, ask }, ['https://a.example/', 'https://b.example/'])
  assert.deepEqual(result.usage, { ...NO_USAGE, inputFresh: 270, output: 30, cost: 0.75 })
  assert.equal((await run({ pages }, 'https://a.example/')).usage, undefined)
})

test('a second model that fails leaves the passages, and that is told', async (context) => {
  const { pages, origin } = await site(context, text('It is 40 miles long.'))
  const ask: Ask = async () => {
    throw new Error('no such model')
  }
  const { ok, text: shown } = await run({ pages, ask }, origin)
  assert.equal(ok, true)
  assert.match(shown, /No second model picked these parts \(no such model\)[\s\S]*It is 40 miles long\.$/)
})

test('robots.txt is asked once for each site and respected at each hop', async (context) => {
  const { broker, origin, asked } = await site(context, (request, response) => {
    if (request.url === '/robots.txt')
      return void response.end('User-agent: *\nDisallow: /private\nUser-agent: tao-agent\nDisallow: /no\n')
    if (request.url === '/moved') return void response.writeHead(302, { location: '/no/way' }).end()
    response.end('Words.')
  })
  const pages = ownReader({ broker, robots: openRobots(broker) })
  const urls = [`${origin}/private`, `${origin}/no/1`, `${origin}/moved`]
  const parts = (await run({ pages }, urls)).text.split('\n=======\n')
  assert.match(parts[0] ?? '', /Words\.$/)
  assert.match(parts[1] ?? '', /robots\.txt asks programs not to visit .*\/no\/1\./)
  assert.match(parts[2] ?? '', /robots\.txt asks programs not to visit .*\/no\/way\./)
  assert.deepEqual([...asked].sort(), ['GET /moved', 'GET /private', 'GET /robots.txt'])
  assert.match((await run({ pages: ownReader({ broker }) }, `${origin}/no/1`)).text, /Words\.$/)
})

test('no robots.txt is no objection, a server that fails to give it out objects', async (context) => {
  for (const [status, words] of [
    [404, /Words\.$/],
    [503, /robots\.txt could not be read/],
  ] as const) {
    const { broker, origin } = await site(
      context,
      (request, response) => void response.writeHead(request.url === '/robots.txt' ? status : 200).end('Words.'),
    )
    assert.match((await run({ pages: ownReader({ broker, robots: openRobots(broker) }) }, origin)).text, words)
  }
})

test('where a policy decides, it is asked about a redirect as about a call, and Jina, which would not ask, reads nothing', async (context) => {
  const { origin, asked, broker } = await site(context, text('By Jina.'))
  const own: PageReader = {
    async read(url, _signal, mayLeave) {
      const mayGo = await mayLeave?.(new URL('https://b.example/?d=1'))
      return { url, text: mayGo === false ? 'Not followed.' : 'Followed.' }
    },
  }
  const tool = visit({ pages: jinaReader({ broker, baseUrl: origin, key: 'jina_1' }, own) })
  const read = await tool.validate({ url: 'https://a.example/', goal: 'x' })
  assert.ok(read.ok)
  const decided: JsonObject[] = []
  const permits = async (args: JsonObject) => decided.push(args) === 0
  const target = 'https://b.example/?d=1'
  const where = { call: 'c1', client: 'local', idempotencyKey: 'key', signal: never }
  assert.match((await tool.execute(read.input, { ...where, permits })).text, /Not followed\.$/)
  assert.deepEqual(decided, [
    { url: target, goal: 'x' },
    { url: [target], goal: 'x' },
  ])
  assert.deepEqual(asked, [])
})

test('no address, no goal, or too many addresses are refused before anything is fetched', async () => {
  const tool = visit({ pages: { read: async (url) => ({ url, text: '' }) } })
  const many = Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`)
  for (const input of [
    { url: 'https://a.example/' },
    { goal: 'x' },
    { url: [], goal: 'x' },
    { url: '', goal: 'x' },
    { url: many, goal: 'x' },
    { url: 'x', goal: ' ' },
  ])
    assert.equal((await tool.validate(input)).ok, false, JSON.stringify(input))
})
