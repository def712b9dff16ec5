import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { createServer } from 'node:net'
import type { ChatOptions } from './chat.ts'
import { chatModel } from './chat.ts'
import { failure, HEAD, NEVER, requestOf } from './model.contract.ts'
import type { Model } from './model.ts'
import { ModelError } from './model.ts'
import { CHAT_PROFILES } from './profiles.ts'

export const KEY = 'sk-0123456789abcdef'

export function open(baseUrl: string, more: Partial<ChatOptions> = {}): Model {
  const profile = CHAT_PROFILES.get('deepseek')
  assert.ok(profile)
  return chatModel({ name: 'deepseek/deepseek-chat', model: 'deepseek-chat', baseUrl, apiKey: KEY, profile, ...more })
}

export const ask = (model: Model, stream = false, signal = NEVER) =>
  model.ask(requestOf(model, { ...HEAD, stream }), { signal })

export async function askFailing(model: Model, stream = false): Promise<ModelError> {
  const error = await failure(ask(model, stream))
  assert.ok(error instanceof ModelError, `${error}`)
  return error
}

/** A server below HTTP. */
export async function startSocketServer(
  onData: (socket: Socket) => void,
): Promise<AsyncDisposable & { readonly host: string }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', () => onData(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return {
    host: `127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Waits, for a second at most, for what another part of the process will see soon. */
export async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 1_000
  while (!holds() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.ok(holds())
}
