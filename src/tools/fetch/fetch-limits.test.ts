import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { serveWeb } from '../../../test/support/web-server.ts'
import { openBroker } from './broker.ts'
import type { FetchLimits } from './fetch-limits.ts'

const never = new AbortController().signal

async function fetchFrom(
  context: TestContext,
  listener: RequestListener,
  { signal = never, ...limits }: Partial<FetchLimits> & { readonly signal?: AbortSignal } = {},
) {
  const { origin } = await serveWeb(context, listener)
  return await openBroker({ allowed: [origin], limits }).fetch({ url: origin }, signal)
}

const encoded = (encoding: string, bytes: Uint8Array) => (_: unknown, response: ServerResponse) =>
  response.writeHead(200, { 'content-encoding': encoding }).end(bytes)

const ZEROS = Buffer.alloc(16 << 20)
const TEXT = 'The quick brown fox. '.repeat(20)

test('a compressed answer is decompressed', async (context) => {
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['identity', Buffer.from(TEXT)],
  ] as const)
    assert.equal(Buffer.from((await fetchFrom(context, encoded(encoding, bytes))).bytes).toString(), TEXT)
})

test('16 MB of zeros in a few bytes end at a named limit while they expand', async (context) => {
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(ZEROS)],
    ['br', brotliCompressSync(ZEROS)],
  ] as const) {
    const before = process.memoryUsage().rss
    const fetched = (limits: Partial<FetchLimits>) => fetchFrom(context, encoded(encoding, bytes), limits)
    await assert.rejects(fetched({ expanded: 1e9 }), { kind: 'limit', message: /limit "ratio"/ })
    await assert.rejects(fetched({ ratio: 1e9 }), { kind: 'limit', message: /limit "expanded"/ })
    assert.ok(process.memoryUsage().rss - before < 64 << 20)
  }
})

test('an encoding that was not asked for, or broken, is no text', async (context) => {
  await assert.rejects(fetchFrom(context, encoded('gzip, gzip', gzipSync(gzipSync(TEXT)))), { kind: 'unreadable' })
  await assert.rejects(fetchFrom(context, encoded('zstd', Buffer.from('x'))), { kind: 'unreadable' })
  for (const encoding of ['gzip', 'br'])
    await assert.rejects(fetchFrom(context, encoded(encoding, Buffer.from('no such thing'))), { kind: 'unreadable' })
  await assert.rejects(fetchFrom(context, encoded('gzip', gzipSync(TEXT).subarray(0, 30))), { kind: 'unreadable' })
})

test('an endless answer ends at the limit of bytes', async (context) => {
  const listener: RequestListener = (_, response) => {
    const write = (): void => {
      if (!response.destroyed) response.write(Buffer.alloc(65_536), write)
    }
    write()
  }
  await assert.rejects(fetchFrom(context, listener, { bytes: 1 << 20 }), { kind: 'limit', message: /limit "bytes"/ })
})

test('a server that says nothing, falls silent or drips ends at the limit that is meant for it', async (context) => {
  const drip: RequestListener = (_, response) => {
    const timer = setInterval(() => response.write('x'), 5)
    response.on('close', () => clearInterval(timer))
  }
  await assert.rejects(
    fetchFrom(context, () => {}, { firstByte: 30 }),
    { kind: 'timeout', message: /"firstByte"/ },
  )
  await assert.rejects(
    fetchFrom(context, (_, response) => void response.write('x'), { idle: 30 }),
    { message: /"idle"/ },
  )
  await assert.rejects(fetchFrom(context, drip, { total: 80 }), { kind: 'timeout', message: /"total"/ })
})

test('the time for all is for all redirects together', async (context) => {
  const slow: RequestListener = (_, response) =>
    void setTimeout(() => response.writeHead(302, { location: '/' }).end(), 30)
  await assert.rejects(fetchFrom(context, slow, { total: 75 }), { message: /"total"/ })
})

test('a call that is cancelled rejects with what cancelled it', async (context) => {
  await assert.rejects(
    fetchFrom(context, () => {}, { signal: AbortSignal.abort(new Error('stop')) }),
    /stop/,
  )
  await assert.rejects(
    fetchFrom(context, () => {}, { signal: AbortSignal.timeout(30) }),
    { name: 'TimeoutError' },
  )
})

test('a name that is never answered for ends at the limit of time', async () => {
  const broker = openBroker({ resolve: () => new Promise(() => {}), limits: { firstByte: 30 } })
  await assert.rejects(broker.fetch({ url: 'https://slow.example/' }, never), {
    kind: 'timeout',
    message: /"firstByte"/,
  })
})
