import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RawAnswer } from '../../test/support/chat-server.ts'
import { startChatServer } from '../../test/support/chat-server.ts'
import type { Reply } from '../core/request.ts'
import { chatModel } from './chat.ts'
import { failure, HEAD, NEVER, requestOf } from './model.contract.ts'
import type { ModelErrorKind } from './model.ts'
import { ModelError } from './model.ts'
import { PLAIN } from './profile.ts'

/** What a service sends in place of a proper reply, in both forms, and what must become of it. */
export interface Fault {
  readonly what: string
  readonly whole?: RawAnswer
  readonly streamed?: RawAnswer
  readonly reply?: Partial<Reply>
  readonly error?: {
    readonly kind: ModelErrorKind
    readonly says: RegExp
    readonly body?: RegExp
    readonly fix?: RegExp
  }
}

export const message = (fields: object, finish: unknown = 'stop', rest: object = {}): RawAnswer => ({
  raw: [
    JSON.stringify({
      choices: [{ index: 0, message: { role: 'assistant', ...fields }, finish_reason: finish }],
      ...rest,
    }),
  ],
})

export const chunk = (delta: object, finish: unknown = null): string =>
  event({ choices: [{ index: 0, delta, finish_reason: finish }] })
export const event = (value: unknown): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
export const DONE = event('[DONE]')

export const stream = (...raw: string[]): RawAnswer => ({ raw, headers: { 'content-type': 'text/event-stream' } })
export const text = (body: string, status = 200, type = 'application/json'): RawAnswer => ({
  raw: [body],
  status,
  headers: { 'content-type': type },
})
export const both = (answer: RawAnswer): Pick<Fault, 'whole' | 'streamed'> => ({ whole: answer, streamed: answer })

export const HTML = '<html><head><style>p{}</style></head><body><h1>502 Bad Gateway</h1></body></html>'
export const called = (args: unknown, more: object = { id: 'c1' }) => [
  { ...more, type: 'function', function: { name: 'f', arguments: args } },
]

/** Asks a service with each fault, in each form it has one for. */
export function testFaults(faults: readonly Fault[]): void {
  for (const fault of faults)
    for (const form of ['whole', 'streamed'] as const) {
      const answer = fault[form]
      const promise = fault.error === undefined ? 'the reply is read all the same' : 'the error is told for what it is'
      if (answer !== undefined)
        test(`${promise}: ${fault.what} (${form})`, () => meet(fault, answer, form === 'streamed'))
    }
}

async function meet(fault: Fault, answer: RawAnswer, stream: boolean): Promise<void> {
  await using server = await startChatServer([answer])
  const profile = { ...PLAIN, provider: 'test', baseUrl: undefined, keyVariable: 'TEST_API_KEY' }
  const model = chatModel({ name: 'test/x', model: 'x', baseUrl: server.url, profile })
  const asked = model.ask(requestOf(model, { ...HEAD, stream }), { signal: NEVER })
  if (fault.error === undefined) holds(await asked, fault.reply ?? {})
  else fails(await failure(asked), fault.error)
  assert.equal(server.requests.length, 1, 'nothing is asked twice')
}

function holds(reply: Reply, expected: Partial<Reply>): void {
  for (const [key, value] of Object.entries(expected)) assert.deepEqual(reply[key as keyof Reply], value, key)
}

function fails(error: unknown, expected: NonNullable<Fault['error']>): void {
  assert.ok(error instanceof ModelError, `${error}`)
  assert.equal(error.kind, expected.kind)
  assert.match(error.message, expected.says)
  if (expected.body !== undefined) assert.match(error.body ?? 'none', expected.body)
  if (expected.fix !== undefined) assert.match(error.fix ?? 'none', expected.fix)
}
