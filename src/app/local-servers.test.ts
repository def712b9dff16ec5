import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { findLocalServers } from './local-servers.ts'

const servers: Server[] = []
after(() => {
  for (const server of servers) server.close().closeAllConnections()
})

/** A server that answers each path with a value; what it does not know is 404. */
const serve = (answers: Readonly<Record<string, unknown>>): Promise<number> =>
  listen((request, response) => {
    const answer = answers[request.url ?? '']
    response.statusCode = answer === undefined ? 404 : 200
    response.end(JSON.stringify(answer ?? {}))
  })

function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** A port where nobody listens. */
async function closedPort(): Promise<number> {
  const port = await serve({})
  await new Promise((resolve) => servers.pop()?.close(resolve))
  return port
}

const NOBODY = await closedPort()

test('each kind of server is known by its own answers, and the loaded model is named', async () => {
  const ollama = await serve({
    '/api/version': { version: '0.9.1' },
    '/api/ps': { models: [{ model: 'qwen3:8b' }] },
    '/api/show': { capabilities: ['completion', 'tools'] },
  })
  const lmstudio = await serve({ '/api/v1/models': { models: [{ key: 'a' }, { key: 'b', loaded_instances: [{}] }] } })
  const llama = await serve({
    '/props': { default_generation_settings: {} },
    '/v1/models': { data: [{ id: 'gemma.gguf' }] },
  })
  const vllm = await serve({ '/v1/models': { data: [{ id: 'qwen', owned_by: 'vllm' }] } })
  const found = await findLocalServers({ ports: [ollama, lmstudio, llama, vllm], timeLimit: 5_000 })
  assert.deepEqual(
    found.map(({ loaded }) => loaded),
    [
      { provider: 'ollama', model: 'qwen3:8b', baseUrl: `http://127.0.0.1:${ollama}/v1` },
      { provider: 'lmstudio', model: 'b', baseUrl: `http://127.0.0.1:${lmstudio}/v1` },
      { provider: 'openai-compatible', model: 'gemma.gguf', baseUrl: `http://127.0.0.1:${llama}/v1` },
      { provider: 'openai-compatible', model: 'qwen', baseUrl: `http://127.0.0.1:${vllm}/v1` },
    ],
  )
})

test('a server without a loaded model that calls tools is found, and not chosen', async () => {
  const idle = await serve({ '/api/version': { version: '0.9.1' }, '/api/ps': { models: [] } })
  const older = await serve({ '/api/v0/models': { data: [{ id: 'e', state: 'loaded', type: 'embeddings' }] } })
  const found = await findLocalServers({ ports: [idle, older, NOBODY, NOBODY], timeLimit: 5_000 })
  assert.deepEqual(found, [
    { server: 'Ollama', baseUrl: `http://127.0.0.1:${idle}/v1` },
    { server: 'LM Studio', baseUrl: `http://127.0.0.1:${older}/v1` },
  ])
  const deaf = await serve({
    '/api/version': { version: '0.9.1' },
    '/api/ps': { models: [{ model: 'old' }] },
    '/api/show': { capabilities: ['completion'] },
  })
  const [server] = await findLocalServers({ ports: [deaf, NOBODY, NOBODY, NOBODY], timeLimit: 5_000 })
  assert.equal(server?.loaded, undefined)
})

test('another program on a usual port is no model server, whatever it answers', async () => {
  const redirect = await listen((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
  const page = await listen((_, response) => response.end('<html>hello</html>'))
  const lists = await serve({ '/props': [1], '/v1/models': { data: [{ id: 'x', owned_by: 'me' }] } })
  const ports = [redirect, page, lists, lists] as const
  assert.deepEqual(await findLocalServers({ ports, timeLimit: 5_000 }), [])
})

test('a server that never answers, or never ends, costs no more than the time limit', async () => {
  const silent = await listen(() => {})
  const endless = await listen((_, response) => {
    const timer = setInterval(() => response.write(' '), 5)
    response.on('close', () => clearInterval(timer))
  })
  const began = performance.now()
  assert.deepEqual(await findLocalServers({ ports: [silent, endless, endless, silent], timeLimit: 60 }), [])
  assert.ok(performance.now() - began < 5_000)
})
