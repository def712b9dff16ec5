import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delta, Request, RequestHead, WireMessage } from '../core/request.ts'
import type { Model } from './model.ts'
import { ModelError } from './model.ts'
import { argumentText, type ScriptReply } from './script.ts'

export const HEAD: RequestHead = {
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
        additionalProperties: false,
      },
    },
  ],
  stop: [],
  temperature: 0,
  maxOutputTokens: 800,
  stream: false,
  thinking: false,
}

export const HELLO: readonly WireMessage[] = [
  { role: 'system', text: 'Be brief.' },
  { role: 'user', text: 'Read a.txt' },
]

export function requestOf(model: Model, head: RequestHead = HEAD, messages: readonly WireMessage[] = HELLO): Request {
  const body = model.openBody(head)
  for (const message of messages) body.append(message)
  return { step: 0, head, messages, toolChoice: 'auto', ...body.take('auto') }
}

export const NEVER = new AbortController().signal

/** A model that answers with these replies, for as long as the test lasts. */
export type OpenModel = (replies: readonly ScriptReply[]) => Promise<AsyncDisposable & { readonly model: Model }>

const SPOKEN = {
  text: 'Grüße 😀, I will look at the file first.',
  reasoning: 'The user wants a file.',
  calls: [
    { id: 'call_1', name: 'read_file', arguments: '{ "path" : "a.txt" }' },
    { id: 'call_2', name: 'read_file', arguments: { path: 'a file with a long name and ünïcödé.txt' } },
  ],
  usage: { inputFresh: 10, inputCached: 20, output: 7, reasoning: 2 },
}

/** What every model owes its callers, whole and streamed. */
export function modelContract(name: string, open: OpenModel): void {
  for (const stream of [false, true]) {
    const head = { ...HEAD, stream }
    const how = `${name}, ${stream ? 'streamed' : 'whole'}`

    test(`${how}: a reply comes back as it was sent`, async () => {
      await using opened = await open([SPOKEN])
      const { firstByteMs, totalMs, ...reply } = await ask(opened.model, head)
      assert.deepEqual(reply, {
        text: SPOKEN.text,
        reasoning: SPOKEN.reasoning,
        calls: [SPOKEN.calls[0], { ...SPOKEN.calls[1], arguments: JSON.stringify(SPOKEN.calls[1]?.arguments) }],
        finish: 'calls',
        usage: { inputFresh: 10, inputCached: 20, inputCacheWritten: 0, output: 7, reasoning: 2 },
      })
      assert.ok(firstByteMs >= 0 && totalMs >= firstByteMs)
    })

    test(`${how}: deltas are told only when asked for, and add up to the reply`, async () => {
      await using opened = await open([SPOKEN])
      const deltas: Delta[] = []
      await opened.model.ask(requestOf(opened.model, head), { signal: NEVER, onDelta: (delta) => deltas.push(delta) })
      const told = (kind: Delta['kind']) => deltas.map((delta) => (delta.kind === kind ? delta.text : '')).join('')
      assert.equal(told('text'), stream ? SPOKEN.text : '')
      assert.equal(told('reasoning'), stream ? SPOKEN.reasoning : '')
      const calls = SPOKEN.calls.map((call) => `${call.name} ${argumentText(call)}`).join('\n')
      assert.equal(told('call'), stream ? calls : '')
    })

    test(`${how}: calls without an id and with arguments that are no JSON are passed on as they are`, async () => {
      await using opened = await open([{ calls: [{ name: 'read_file', arguments: '{"path": "a' }], finish: 'length' }])
      const reply = await ask(opened.model, head)
      assert.deepEqual(reply.calls, [{ name: 'read_file', arguments: '{"path": "a' }])
      assert.equal(reply.finish, 'length')
      assert.equal(reply.usage, undefined)
    })

    for (const finish of ['stop', 'length', 'filtered', 'broken', 'other'] as const)
      test(`${how}: the finish "${finish}" arrives`, async () => {
        await using opened = await open([{ text: 'so far', finish }])
        assert.equal((await ask(opened.model, head)).finish, finish)
      })

    test(`${how}: an error of the service keeps its status and its words`, async () => {
      await using opened = await open([{ error: { status: 503, body: { error: { message: 'busy just now' } } } }])
      const error = await failure(ask(opened.model, head))
      assert.ok(error instanceof ModelError)
      assert.equal(error.kind, 'overloaded')
      assert.equal(error.status, 503)
      assert.match(error.message, /busy just now/)
      assert.equal(error.body, '{"error":{"message":"busy just now"}}')
    })

    test(`${how}: a connection that breaks is unreachable`, async () => {
      await using opened = await open([{ error: { status: 0 } }])
      const error = await failure(ask(opened.model, head))
      assert.ok(error instanceof ModelError)
      assert.equal(error.kind, 'unreachable')
    })

    test(`${how}: an abort while waiting rejects at once with the signal's reason`, async () => {
      await using opened = await open([{ text: 'late', delayMs: 2_000 }])
      const controller = new AbortController()
      const reason = new Error('stopped by a person')
      setTimeout(() => controller.abort(reason), 20)
      const started = performance.now()
      const asked = opened.model.ask(requestOf(opened.model, head), { signal: controller.signal })
      assert.equal(await failure(asked), reason)
      assert.ok(performance.now() - started < 1_000)
    })

    test(`${how}: an aborted signal sends nothing`, async () => {
      await using opened = await open([])
      const reason = new Error('before it began')
      const asked = opened.model.ask(requestOf(opened.model, head), { signal: AbortSignal.abort(reason) })
      assert.equal(await failure(asked), reason)
    })
  }

  test(`${name}: the same messages give the same bytes`, async () => {
    await using opened = await open([])
    const [one, two] = [requestOf(opened.model), requestOf(opened.model)]
    assert.equal(one.sha256, two.sha256)
    assert.deepEqual(one.bytes, two.bytes)
  })
}

const ask = (model: Model, head: RequestHead) => model.ask(requestOf(model, head), { signal: NEVER })

/** What a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  return assert.fail('it did not fail')
}
