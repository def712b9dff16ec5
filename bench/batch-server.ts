import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Every answer of the server takes so long. */
export const LATENCY_MS = 100

/** To a request with tools: two searches, one after the other, then the answer. To one without: the answer. */
const SEARCHES = ['a rule of measuring', 'a rule of cutting']

/** The model server of a batch, meant for a process of its own: tells its parent its address. */
export function serve(): void {
  const server = createServer(async (request, response) => {
    const body = replyTo(await text(request))
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      response.end(body)
    }, LATENCY_MS)
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  })
}

function replyTo(request: string): string {
  const found = request.split('"role":"tool"').length - 1
  const query = request.includes('"tools":[') ? SEARCHES[found] : undefined
  return query === undefined ? ANSWER : searchFor(query, found)
}

const reply = (message: object): string =>
  JSON.stringify({
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }],
    usage: { prompt_tokens: 200, completion_tokens: 20 },
  })

const ANSWER = reply({ content: 'It is 4.' })

const searchFor = (query: string, at: number): string =>
  reply({
    content: null,
    tool_calls: [
      { id: `call_${at}`, type: 'function', function: { name: 'search', arguments: JSON.stringify({ query }) } },
    ],
  })
