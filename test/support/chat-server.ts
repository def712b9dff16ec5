import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { setTimeout as timer } from 'node:timers/promises'
import type { Json, JsonObject } from '../../src/core/json.ts'
import type { ScriptReply } from '../../src/model/script.ts'
import { argumentText, bodyText } from '../../src/model/script.ts'
import { streamedChunks, wholeBody } from './chat-wire.ts'

/** What was received. `raw` is the body as it came. */
export interface ChatRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
  readonly raw: string
}

/** An answer in its own bytes, for services that do not behave. */
export interface RawAnswer {
  readonly raw: readonly (string | Uint8Array)[]
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds before the answer begins, and between its pieces. */
  readonly delayMs?: number
  readonly pauseMs?: number
  /** How it ends. Default: as it should. */
  readonly ends?: 'normally' | 'reset' | 'hang'
}

export type ChatReply = ScriptReply | RawAnswer
export type ChatHandler = (request: ChatRequest, n: number) => ChatReply | undefined | Promise<ChatReply | undefined>

export interface ChatServer extends AsyncDisposable {
  /** `http://127.0.0.1:…/v1`. */
  readonly url: string
  readonly requests: readonly ChatRequest[]
  /** Connections made so far, and requests whose connection the client closed before the answer's end. */
  readonly connections: number
  readonly abandoned: number
  close(): Promise<void>
}

/**
 * A service with a chat/completions interface on a free port of this machine. A scripted reply goes out whole or as a
 * stream, as the request asks. A request beyond the script is answered 400.
 */
export async function startChatServer(script: ChatHandler | readonly ChatReply[]): Promise<ChatServer> {
  const requests: ChatRequest[] = []
  const counts = { connections: 0, abandoned: 0 }
  const server = createServer(async (incoming, outgoing) => {
    const raw = await bodyOf(incoming)
    const request = { path: incoming.url ?? '', headers: incoming.headers, body: parsed(raw), raw }
    const n = requests.push(request) - 1
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) counts.abandoned++
    })
    const reply = typeof script === 'function' ? await script(request, n) : script[n]
    await answer(reply ?? USED_UP, request, outgoing)
  })
  server.on('connection', () => {
    counts.connections++
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get connections() {
      return counts.connections
    },
    get abandoned() {
      return counts.abandoned
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Does not keep a finished test alive. */
const wait = (milliseconds: number): Promise<void> => timer(milliseconds, undefined, { ref: false })

const USED_UP: ScriptReply = { error: { status: 400, body: { error: { message: 'the script is used up' } } } }

async function answer(reply: ChatReply, request: ChatRequest, outgoing: ServerResponse): Promise<void> {
  if (reply.delayMs) await wait(reply.delayMs)
  if ('raw' in reply) return await sendRaw(reply, outgoing)
  if ('error' in reply) return await sendError(reply.error, outgoing)
  const calls = (reply.calls ?? []).map((call) => ({ id: call.id, name: call.name, arguments: argumentText(call) }))
  if (request.body.stream !== true) return await sendRaw({ raw: [JSON.stringify(wholeBody(reply, calls))] }, outgoing)
  await sendRaw({ raw: streamedChunks(reply, calls), headers: { 'content-type': 'text/event-stream' } }, outgoing)
}

async function sendError(
  error: { readonly status: number; readonly body?: Json },
  outgoing: ServerResponse,
): Promise<void> {
  if (error.status === 0) outgoing.destroy()
  else await sendRaw({ status: error.status, raw: [bodyText(error.body)] }, outgoing)
}

async function sendRaw(answer: RawAnswer, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
  outgoing.flushHeaders()
  for (const piece of answer.raw) {
    if (answer.pauseMs) await wait(answer.pauseMs)
    if (piece.length > 0) outgoing.write(piece)
  }
  const ends = answer.ends ?? 'normally'
  if (ends === 'normally') outgoing.end()
  if (ends !== 'reset') return
  await wait(5) // lets what was written go out first
  outgoing.socket?.resetAndDestroy()
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(raw: string): JsonObject {
  try {
    return JSON.parse(raw) as JsonObject
  } catch {
    return {}
  }
}
