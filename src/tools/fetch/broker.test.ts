import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { serveWeb } from '../../../test/support/web-server.ts'
import { whyNotPublic } from '../../sandbox/network-address.ts'
import { type BrokerOptions, openBroker } from './broker.ts'
import { FetchError } from './fetch-error.ts'

const never = new AbortController().signal
const refusedAs = (words: RegExp) => (error: unknown) =>
  error instanceof FetchError && error.kind === 'refused' && words.test(error.message)

/** Names lead to the loopback, which alone of all special addresses counts as public here. */
const loopback = (port: number): BrokerOptions => ({
  http: true,
  ports: [port],
  resolve: async () => ['127.0.0.1'],
  whyRefused: (address) => (address === '127.0.0.1' ? undefined : whyNotPublic(address)),
})

const serveHello = (context: TestContext) => serveWeb(context, (_, response) => response.end('hello'))

test('a page is fetched, with its final address, status and headers', async (context) => {
  const server = await serveWeb(context, (_, response) => response.writeHead(404, { 'x-a': 'b' }).end('not here'))
  const fetched = await openBroker(loopback(server.port)).fetch({ url: `http://a.example:${server.port}/x?y` }, never)
  assert.deepEqual(
    [fetched.url, fetched.status, fetched.headers['x-a']],
    [`http://a.example:${server.port}/x?y`, 404, 'b'],
  )
  assert.equal(Buffer.from(fetched.bytes).toString(), 'not here')
  assert.deepEqual(server.asked, ['GET /x?y'])
})

// https://github.com/google-gemini/gemini-cli/issues/24230 and https://github.com/micro/mu/issues/1189
test('a public name that leads to a private address is refused, and nothing is connected to', async () => {
  const answers = [
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['8.8.8.8', '10.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::a9fe:a9fe'],
    ['fd00:ec2::254'],
    ['168.63.129.16'],
  ]
  for (const addresses of answers) {
    const broker = openBroker({ resolve: async () => addresses })
    await assert.rejects(broker.fetch({ url: 'https://innocent.example/' }, never), refusedAs(/leads to/))
  }
})

// https://github.com/xelektron/token-enhancer/issues/4 and https://github.com/DenchHQ/DenchClaw/issues/8
test('a name is looked up once, and the connection goes to the address that was checked', async (context) => {
  const server = await serveHello(context)
  const answers = [['127.0.0.1'], ['10.0.0.1'], ['10.0.0.1']]
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return answers.shift() ?? []
  }
  const broker = openBroker({ ...loopback(server.port), resolve })
  const fetched = await broker.fetch({ url: `http://rebinding.example:${server.port}/` }, never)
  assert.equal(Buffer.from(fetched.bytes).toString(), 'hello')
  assert.deepEqual(asked, ['rebinding.example'])
  await assert.rejects(
    broker.fetch({ url: `http://rebinding.example:${server.port}/` }, never),
    refusedAs(/10\.0\.0\.1/),
  )
})

test('the address that a connection ended at is checked again', async (context) => {
  const server = await serveHello(context)
  let checks = 0
  const whyRefused = () => (++checks === 1 ? undefined : 'somewhere else')
  const broker = openBroker({ ...loopback(server.port), whyRefused })
  await assert.rejects(
    broker.fetch({ url: `http://a.example:${server.port}/` }, never),
    refusedAs(/ended at 127\.0\.0\.1/),
  )
  assert.deepEqual(server.asked, [])
})

// https://github.com/google-gemini/gemini-cli/issues/29074 and https://github.com/intrafind/ihub-apps/issues/1693
test('each redirect is checked like the first address', async (context) => {
  const targets = [
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:8080/',
    'https://[::1]/',
    'http://localhost/',
    'file:///etc/passwd',
    '//2130706433/',
    'http://user:pw@b.example/',
    'http://private.example/',
  ]
  const server = await serveWeb(context, (request, response) => {
    response.writeHead(302, { location: targets[Number(request.url?.slice(1))] ?? '' }).end('moved')
  })
  const open = loopback(server.port)
  const resolve = async (host: string) => (host === 'private.example' ? ['192.168.0.1'] : ['127.0.0.1'])
  for (const index of targets.keys())
    await assert.rejects(
      openBroker({ ...open, resolve }).fetch({ url: `http://a.example:${server.port}/${index}` }, never),
      refusedAs(/./),
      targets[index],
    )
  assert.equal(server.asked.length, targets.length)
})

test('redirects are followed to their end, five at most', async (context) => {
  const server = await serveWeb(context, (request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) return void response.end('there')
    response.writeHead(307, { location: `/${left - 1}`, 'set-cookie': 'a=b' }).end()
  })
  const broker = openBroker(loopback(server.port))
  const at = (count: number) => ({ url: `http://a.example:${server.port}/${count}` })
  assert.equal((await broker.fetch(at(5), never)).url, at(0).url)
  await assert.rejects(broker.fetch(at(6), never), { kind: 'limit', message: /5 redirects are the most/ })
})

test('whoever objects is asked at each hop, and heard before anything is sent', async (context) => {
  const server = await serveWeb(context, (_, response) => response.writeHead(301, { location: '/secret' }).end())
  const objection = async ({ pathname }: URL) => (pathname === '/secret' ? 'The owner does not want it.' : undefined)
  const url = `http://a.example:${server.port}/`
  await assert.rejects(openBroker(loopback(server.port)).fetch({ url, objection }, never), /does not want it/)
  assert.deepEqual(server.asked, ['GET /'])
})

test('a redirect to another site is followed only where it may be, and before that nothing is sent there', async (context) => {
  const server = await serveWeb(context, (request, response) => {
    const to = { '/site': 'http://www.a.example', '/away': 'http://b.example' }[request.url ?? '']
    if (to === undefined) return void response.end('there')
    response.writeHead(302, { location: `${to}:${server.port}/end?d=1` }).end()
  })
  const [looked, wished]: [string[], string[]] = [[], []]
  const resolve = async (host: string) => {
    looked.push(host)
    return ['127.0.0.1']
  }
  const broker = openBroker({ ...loopback(server.port), resolve })
  const fetching = (path: string, may: boolean) => {
    const mayLeave = async ({ href }: URL) => wished.push(href) > 0 && may
    return broker.fetch({ url: `http://a.example:${server.port}${path}`, mayLeave }, never)
  }
  assert.equal((await fetching('/site', false)).url, `http://www.a.example:${server.port}/end?d=1`)
  const away = `http://b.example:${server.port}/end?d=1`
  await assert.rejects(fetching('/away', false), refusedAs(/Ask for http:\/\/b\.example:\d+\/end\?d=1 itself/))
  assert.deepEqual([wished, looked], [[away], ['a.example', 'www.a.example', 'a.example']])
  assert.equal((await fetching('/away', true)).url, away)
})

test('what a request carries for one host goes to no other', async (context) => {
  const server = await serveWeb(context, (_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  const broker = openBroker({ allowed: [server.origin] })
  for (const carried of [{ headers: { 'x-key': 'secret' } }, { json: { q: 'x' } }])
    await assert.rejects(broker.fetch({ url: server.origin, ...carried }, never), /redirects further/)
  assert.deepEqual(server.asked, ['GET /', 'POST /'])
})

test('nothing is sent but the address and what Tao is: no cookie, no referrer, no key', async (context) => {
  let headers: readonly string[] = []
  const server = await serveWeb(context, (request, response) => {
    headers = Object.keys(request.headers)
    response.end()
  })
  await openBroker(loopback(server.port)).fetch({ url: `http://a.example:${server.port}/` }, never)
  assert.deepEqual([...headers].sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})

test('the loopback is reached only where the operator names it', async (context) => {
  const server = await serveHello(context)
  await assert.rejects(
    openBroker({ http: true, ports: [server.port] }).fetch({ url: server.origin }, never),
    FetchError,
  )
  assert.equal((await openBroker({ allowed: [server.origin] }).fetch({ url: server.origin }, never)).status, 200)
})

test('a host that does not answer and a name that leads nowhere are told in a sentence', async (context) => {
  const server = await serveWeb(context, (request) => request.socket.destroy())
  const broker = openBroker({
    ...loopback(server.port),
    resolve: async (host) => (host === 'no.example' ? [] : ['127.0.0.1']),
  })
  await assert.rejects(broker.fetch({ url: 'https://no.example/' }, never), /no\.example has no address/)
  await assert.rejects(broker.fetch({ url: `http://a.example:${server.port}/` }, never), { kind: 'unreachable' })
})
