import assert from 'node:assert/strict'
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readAllowList } from './allow-list.ts'
import { whyNotPublic } from './network-address.ts'
import { openProxy, type ProxyOptions } from './proxy.ts'

async function listen<S extends Server>(context: TestContext, server: S): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  return (server.address() as AddressInfo).port
}

interface Bench {
  /** Where the host that every name leads to listens. */
  readonly port: number
  readonly seen: IncomingMessage[]
  readonly lookups: string[]
  readonly proxy: ReturnType<typeof openProxy>
  /** Sends bytes to the proxy and gives all that comes back. */
  send(text: string): Promise<string>
  /** A plain request for a path of a host at that port. */
  get(host: string, more?: string): Promise<string>
}

interface BenchOptions extends ProxyOptions {
  readonly answer?: RequestListener
  /** Of `$PORT`, the host's. */
  readonly network?: readonly string[]
  readonly addresses?: readonly string[]
}

/** A host on the loopback, and a proxy that is allowed to reach that one address. */
async function bench(context: TestContext, options: BenchOptions = {}): Promise<Bench> {
  const { answer = (_, response) => response.end('hello'), network = ['*.example.org:$PORT'], ...rest } = options
  const { addresses = ['127.0.0.1'], ...more } = rest
  const seen: IncomingMessage[] = []
  const host = createHttpServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  const port = await listen(context, host)
  const lookups: string[] = []
  const proxy = openProxy(readAllowList(network.map((entry) => entry.replace('$PORT', `${port}`))), {
    resolve: async (name) => {
      lookups.push(name)
      return addresses
    },
    whyRefused: (address) => (address === '127.0.0.1' ? undefined : whyNotPublic(address)),
    ...more,
  })
  const listener = createServer()
  const at = await listen(context, listener)
  proxy.serve(listener)
  context.after(() => proxy.close())
  const send = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: at, host: '127.0.0.1', allowHalfOpen: true })
      let received = ''
      socket.setEncoding('latin1').on('data', (part: string) => {
        received += part
      })
      socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)))
      socket.on('end', () => socket.end())
      socket.on('close', () => resolve(received))
      socket.write(text, 'latin1')
    })
  const get = (name: string, headers = '') =>
    send(`GET http://${name}:${port}/path?q=1 HTTP/1.1\r\nHost: ${name}:${port}\r\nConnection: close\r\n${headers}\r\n`)
  return { port, seen, lookups, proxy, send, get }
}

const status = (answer: string): number => Number(answer.split(' ')[1])

test('an allowed host is reached, with the path that was asked for and without the headers of the connection', async (context) => {
  const { get, seen, port, proxy } = await bench(context)
  const answer = await get('a.example.org', 'Proxy-Authorization: Basic eA==\r\nX-Own: 1\r\nUpgrade: websocket\r\n')
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[\s\S]*hello$/)
  const [request] = seen
  assert.equal(request?.url, '/path?q=1')
  assert.equal(request?.headers.host, `a.example.org:${port}`)
  assert.equal(request?.headers['x-own'], '1')
  assert.equal(request?.headers['proxy-authorization'], undefined)
  assert.equal(request?.headers.upgrade, undefined)
  assert.deepEqual(proxy.unreached, [])
})

test('a body goes out and an answer comes back whole, by length and in chunks', async (context) => {
  const { send, port } = await bench(context, { answer: (request, response) => request.pipe(response) })
  const head = `POST http://a.example.org:${port}/ HTTP/1.1\r\nHost: a.example.org:${port}\r\nConnection: close\r\n`
  assert.match(await send(`${head}Content-Length: 5\r\n\r\nbytes`), /200 OK[\s\S]*bytes/)
  assert.match(await send(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nbytes\r\n0\r\n\r\n`), /200 OK[\s\S]*bytes/)
})

test('a tunnel to an allowed host and port carries any bytes both ways', async (context) => {
  const { send, port } = await bench(context)
  const inside = 'GET /in HTTP/1.1\r\nHost: whatever\r\nConnection: close\r\n\r\n'
  const answer = await send(`CONNECT a.example.org:${port} HTTP/1.1\r\nHost: a.example.org:${port}\r\n\r\n${inside}`)
  assert.match(answer, /^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 200 OK[\s\S]*hello/)
})

test('another host, and another port, is 403 with the key of the task file, and is told of once', async (context) => {
  const { get, send, seen, lookups, proxy } = await bench(context)
  const answer = await get('example.com')
  assert.equal(status(answer), 403)
  assert.match(answer, /"network"/)
  await get('example.com')
  const other = await send('CONNECT a.example.org:22 HTTP/1.1\r\nHost: a.example.org\r\n\r\n')
  assert.equal(status(other), 403)
  assert.deepEqual([seen.length, lookups.length], [0, 0])
  assert.equal(proxy.unreached.length, 2)
  assert.match(proxy.unreached[0]?.target ?? '', /^example\.com:\d+$/)
  assert.match(proxy.unreached[1]?.why ?? '', /at port \d+ only/)
})

const INWARD = [
  '127.0.0.2',
  '169.254.169.254',
  '::ffff:10.0.0.1',
  '10.1.2.3',
  '100.64.1.1',
  '::1',
  'fd00::1',
  '0.0.0.0',
]
for (const address of INWARD)
  test(`an allowed name that leads to ${address} is refused`, async (context) => {
    const { get, seen, proxy } = await bench(context, { addresses: ['127.0.0.1', address] })
    assert.equal(status(await get('a.example.org')), 403)
    assert.equal(seen.length, 0)
    assert.match(proxy.unreached[0]?.why ?? '', /leads to/)
  })

// The name is looked up once, and what was checked is what is connected to: a second answer cannot lead elsewhere.
test('a name whose second answer leads inward is refused then, and looked up once for each request', async (context) => {
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  let asked = 0
  const resolve = async () => answers[asked++] ?? []
  const { get } = await bench(context, { resolve })
  assert.equal(status(await get('a.example.org')), 200)
  assert.equal(asked, 1)
  assert.equal(status(await get('a.example.org')), 403)
  assert.equal(asked, 2)
})

test('an answer that leads elsewhere is the client’s next request, and checked like any other', async (context) => {
  const answer: RequestListener = (_, response) => response.writeHead(302, { Location: 'http://example.com/' }).end()
  const { get } = await bench(context, { answer })
  assert.match(await get('a.example.org'), /302 Found[\s\S]*Location: http:\/\/example\.com\//)
  assert.equal(status(await get('example.com')), 403)
})

const H = 'Host: a.example.org:$PORT\r\n'
const AT = 'http://a.example.org:$PORT'
const MISREAD: readonly (readonly [what: string, request: string])[] = [
  ['two Host headers', `GET ${AT}/ HTTP/1.1\r\n${H}${H}\r\n`],
  ['a Host header of another host', `GET ${AT}/ HTTP/1.1\r\nHost: b.example.org:$PORT\r\n\r\n`],
  ['a Host header of another port', `GET ${AT}/ HTTP/1.1\r\nHost: a.example.org:1\r\n\r\n`],
  ['a tunnel with another host in its header', `CONNECT a.example.org:$PORT HTTP/1.1\r\nHost: b.example.org\r\n\r\n`],
  [
    'a length beside a transfer encoding',
    `POST ${AT}/ HTTP/1.1\r\n${H}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['two lengths', `POST ${AT}/ HTTP/1.1\r\n${H}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`],
  ['an unknown transfer encoding', `POST ${AT}/ HTTP/1.1\r\n${H}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ['a path without a host', `GET / HTTP/1.1\r\n${H}\r\n`],
  ['a user name', `GET http://a.example.org@127.0.0.1:$PORT/ HTTP/1.1\r\n${H}\r\n`],
  ['an empty user name', `GET http://@a.example.org:$PORT/ HTTP/1.1\r\n${H}\r\n`],
  ['an address', `GET http://127.0.0.1:$PORT/ HTTP/1.1\r\nHost: 127.0.0.1:$PORT\r\n\r\n`],
  ['an address in other numbers', `GET http://2130706433:$PORT/ HTTP/1.1\r\nHost: 2130706433:$PORT\r\n\r\n`],
  ['a tunnel to an address', `CONNECT 127.0.0.1:$PORT HTTP/1.1\r\nHost: 127.0.0.1:$PORT\r\n\r\n`],
  ['a tunnel to an IPv6 address', `CONNECT [::1]:$PORT HTTP/1.1\r\nHost: [::1]:$PORT\r\n\r\n`],
  ['a back slash', `GET http://a.example.org\\@127.0.0.1:$PORT/ HTTP/1.1\r\n${H}\r\n`],
  ['another scheme', `GET ftp://a.example.org:$PORT/ HTTP/1.1\r\n${H}\r\n`],
  ['a bare line end', `GET ${AT}/ HTTP/1.1\n${H.replace('\r', '')}X: 1\n\n`],
  ['a folded header', `GET ${AT}/ HTTP/1.1\r\n${H}X: 1\r\n Transfer-Encoding: chunked\r\n\r\n`],
]
for (const [what, request] of MISREAD)
  test(`a request that could be read in two ways reaches nobody: ${what}`, async (context) => {
    const { send, seen, port } = await bench(context)
    const answer = await send(request.replaceAll('$PORT', `${port}`))
    assert.equal(status(answer), 400, answer)
    assert.equal(seen.length, 0)
  })

test('headers without end are refused', async (context) => {
  const { get } = await bench(context)
  assert.equal(status(await get('a.example.org', `X: ${'x'.repeat(20_000)}\r\n`)), 400)
})

test('a crowd is turned away, and who says nothing is cut off', async (context) => {
  const { send, proxy } = await bench(context, { limits: { connections: 2, idleTime: 500 } })
  const silent = [send('GET'), send('GET')]
  await sleep(50)
  assert.equal(status(await send('GET')), 503)
  await Promise.all(silent)
  assert.match(JSON.stringify(proxy.unreached), /2 connections are the most/)
})

test('a flood without end is cut off, through a tunnel too', async (context) => {
  const pour: RequestListener = (_, response) => {
    const more = () => {
      while (response.write('x'.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  }
  for (const method of ['GET', 'CONNECT']) {
    const { send, get, port, proxy } = await bench(context, { limits: { bytes: 1_000_000 }, answer: pour })
    const inside = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
    const tunnel = `CONNECT a.example.org:${port} HTTP/1.1\r\nHost: a.example.org\r\n\r\n${inside}`
    assert.ok((await (method === 'GET' ? get('a.example.org') : send(tunnel))).length > 0)
    assert.match(JSON.stringify(proxy.unreached), /1000000 bytes are the most/)
  }
})

test('a host that cannot be found or does not answer is told apart from one that is refused', async (context) => {
  const resolve = async (): Promise<string[]> => {
    throw new Error('ENOTFOUND')
  }
  const lost = await bench(context, { resolve })
  assert.equal(status(await lost.get('a.example.org')), 502)
  assert.match(lost.proxy.unreached[0]?.why ?? '', /could not be looked up/)
  const slow = await bench(context, { resolve: () => new Promise(() => {}), connectTime: 30 })
  assert.equal(status(await slow.get('a.example.org')), 502)
})

test('the end of the proxy ends its listener and everything that is open', async (context) => {
  const { send, proxy, port } = await bench(context, { answer: () => {} })
  const waiting = send(`GET http://a.example.org:${port}/ HTTP/1.1\r\nHost: a.example.org:${port}\r\n\r\n`)
  await sleep(50)
  proxy.close()
  assert.equal(await waiting.catch(() => ''), '')
  await assert.rejects(send('GET'))
})
