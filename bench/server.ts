// The scripted chat/completions service, a process of its own. Prints its port.
//   POST /LABEL/ROUNDS/TEXT/v1/chat/completions    the next reply
//   GET  /LABEL                                    what it counted under that label, which it then forgets
// It keeps no conversation and reads no request whole: the id of the last tool result says which reply is due.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Script, scriptedReply } from './script.ts'

/** What was asked under one label. */
export interface Counts {
  requests: number
  bytes: number
  /** Bytes of the longest request: the conversation, but for its last reply. */
  longest: number
  /** When the first request arrived: milliseconds since 1970, with fractions. */
  readonly firstAt: number
}

const RESULT_ID = '"tool_call_id":"call_'
const NO_COUNTS: Counts = { requests: 0, bytes: 0, longest: 0, firstAt: 0 }
const counts = new Map<string, Counts>()
const replies = new Map<string, Buffer>()

function handle(request: IncomingMessage, response: ServerResponse): void {
  const [, label = '', rounds = '', text = ''] = (request.url ?? '').split('/')
  if (request.method === 'GET') {
    response.end(JSON.stringify(counts.get(label) ?? NO_COUNTS))
    counts.delete(label)
    return
  }
  const count = countsOf(label)
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    count.requests += 1
    count.bytes += size
    count.longest = Math.max(count.longest, size)
    answer(response, { rounds: Number(rounds), text: Number(text) }, chunks)
  })
}

function countsOf(label: string): Counts {
  const known = counts.get(label) ?? { ...NO_COUNTS, firstAt: performance.timeOrigin + performance.now() }
  counts.set(label, known)
  return known
}

function answer(response: ServerResponse, script: Script, chunks: readonly Buffer[]): void {
  const stream = isStreamWanted(chunks)
  const round = roundOf(chunks)
  const key = `${script.rounds} ${script.text} ${round} ${stream}`
  const body = replies.get(key) ?? scriptedReply(script, round, stream)
  replies.set(key, body)
  const type = stream ? 'text/event-stream' : 'application/json'
  response.writeHead(200, { 'content-type': type, 'content-length': body.length })
  response.end(body)
}

/** Results lie near the end; only when a request came in odd pieces is all of it searched. */
function roundOf(chunks: readonly Buffer[]): number {
  for (const bytes of [chunks.at(-1), Buffer.concat(chunks.slice(-2)), Buffer.concat(chunks)]) {
    const at = bytes?.lastIndexOf(RESULT_ID) ?? -1
    const id = at < 0 ? undefined : bytes?.toString('latin1', at + RESULT_ID.length, at + RESULT_ID.length + 8)
    const number = /^(\d+)"/.exec(id ?? '')?.[1]
    if (number !== undefined) return Number(number) + 1
  }
  return 0
}

/** Some put the switch before the messages and some behind them. */
function isStreamWanted(chunks: readonly Buffer[]): boolean {
  const isIn = (bytes: Buffer | undefined): boolean => bytes?.includes('"stream":true') ?? false
  return isIn(chunks[0]?.subarray(0, 2048)) || isIn(chunks.at(-1)?.subarray(-2048))
}

const server = createServer(handle)
server.keepAliveTimeout = 600_000
server.requestTimeout = 0
server.headersTimeout = 0
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  console.log((server.address() as AddressInfo).port)
})
