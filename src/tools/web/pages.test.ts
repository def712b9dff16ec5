import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveWeb } from '../../../test/support/web-server.ts'
import { openBroker } from '../fetch/broker.ts'
import { jinaReader, type PageReader } from './pages.ts'

const never = new AbortController().signal

test('Jina reads pages where a key is set; what it cannot give is read by ourselves', async (context) => {
  const keys: unknown[] = []
  const answers = [502, 502, 502, 200]
  const { origin, asked } = await serveWeb(context, (request, response) => {
    keys.push(request.headers.authorization)
    response.writeHead(answers.shift() ?? 200).end('By Jina.')
  })
  const own: PageReader = { read: async (url) => ({ url, text: 'By ourselves.' }) }
  const waits: number[] = []
  const sleep = async (milliseconds: number) => void waits.push(milliseconds)
  const broker = openBroker({ allowed: [origin] })
  const pages = jinaReader({ broker, baseUrl: origin, key: 'jina_1', retry: { sleep } }, own)
  assert.equal((await pages.read('https://a.example/x#y', never)).text, 'By ourselves.')
  assert.equal((await pages.read('https://a.example/x', never)).text, 'By Jina.')
  await assert.rejects(pages.read('https://10.0.0.1/', never), /no numeric addresses/)
  assert.deepEqual(waits, [500, 500])
  assert.deepEqual([...new Set(asked)], ['GET /https://a.example/x'])
  assert.deepEqual([...new Set(keys)], ['Bearer jina_1'])
})
