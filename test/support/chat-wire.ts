import type { Finish } from '../../src/core/request.ts'
import type { Usage } from '../../src/core/usage.ts'
import type { SpokenReply } from '../../src/model/script.ts'

/** A scripted call, ready for the wire. */
export interface WireCall {
  readonly id: string | undefined
  readonly name: string
  readonly arguments: string
}

const FINISHES: Readonly<Record<Finish, string>> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  filtered: 'content_filter',
  broken: 'error',
  other: 'a_reason_nobody_knows',
}

const finishOf = (reply: SpokenReply, calls: readonly WireCall[]): string =>
  FINISHES[reply.finish ?? (calls.length > 0 ? 'calls' : 'stop')]

const HEAD = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'scripted' }

/** A scripted reply as the body of a reply in one piece. */
export function wholeBody(reply: SpokenReply, calls: readonly WireCall[]): unknown {
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    ...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(wireCall) }),
  }
  return {
    ...HEAD,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishOf(reply, calls) }],
    ...(reply.usage === undefined ? {} : { usage: wireUsage(reply.usage) }),
  }
}

const wireCall = (call: WireCall) => ({
  ...(call.id === undefined ? {} : { id: call.id }),
  type: 'function',
  function: { name: call.name, arguments: call.arguments },
})

/** A scripted reply as the events of a stream. A broken one ends without a reason and without the end mark. */
export function streamedChunks(reply: SpokenReply, calls: readonly WireCall[]): string[] {
  const deltas = [
    { role: 'assistant', content: '' },
    ...pieces(reply.reasoning ?? '').map((piece) => ({ reasoning_content: piece })),
    ...pieces(reply.text ?? '').map((piece) => ({ content: piece })),
    ...calls.flatMap(callDeltas).map((call) => ({ tool_calls: [call] })),
  ]
  const events = deltas.map((delta) => chunk([{ index: 0, delta, finish_reason: null }]))
  if (reply.finish === 'broken') return events
  events.push(chunk([{ index: 0, delta: {}, finish_reason: finishOf(reply, calls) }]))
  if (reply.usage !== undefined) events.push(chunk([], wireUsage(reply.usage)))
  return [...events, 'data: [DONE]\n\n']
}

function callDeltas(call: WireCall, index: number): unknown[] {
  const head = { index, ...wireCall({ ...call, arguments: '' }) }
  return [head, ...pieces(call.arguments).map((piece) => ({ index, function: { arguments: piece } }))]
}

const chunk = (choices: readonly unknown[], usage?: unknown): string =>
  `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices, usage })}\n\n`

const pieces = (text: string): readonly string[] => text.match(/[\s\S]{1,20}/gu) ?? []

function wireUsage(usage: Partial<Usage>): unknown {
  const { inputFresh = 0, inputCached = 0, inputCacheWritten = 0, output = 0, reasoning = 0 } = usage
  const input = inputFresh + inputCached + inputCacheWritten
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: inputCached, cache_write_tokens: inputCacheWritten },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
