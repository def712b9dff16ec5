import type { ToolCall } from '../core/call.ts'
import type { Message } from '../core/message.ts'
import type { RawCall, Reply, WireMessage } from '../core/request.ts'
import { findIncomplete } from './incomplete.ts'
import type { ParseContext, ParsedReply, Protocol } from './protocol.ts'

/** The service's own tool calls. A reply with calls is calls, whatever else it says; text alone claims to be done. */
export const native: Protocol = {
  name: 'native',
  nativeTools: (tools) => tools,
  instructions: (tools) =>
    tools.length === 0 ? '' : 'A reply without a tool call is your final answer. Give it only when the task is done.',
  stop: [],
  render,
  parse,
}

function render(message: Message): WireMessage {
  if (message.role !== 'observation') return message
  if (message.call === undefined) return { role: 'user', text: message.text }
  return { role: 'tool', text: message.text, call: message.call }
}

function parse(reply: Reply, context: ParseContext): ParsedReply {
  const incomplete = findIncomplete(reply)
  if (incomplete !== undefined) return incomplete
  if (reply.calls.length > 0) return { kind: 'calls', text: reply.text, calls: nameCalls(reply.calls, context) }
  if (reply.text.trim() !== '') return { kind: 'claim', text: reply.text, answer: reply.text.trim() }
  return {
    kind: 'malformed',
    text: '',
    problem: 'The reply is empty: no text and no call.',
    observation: 'Your last reply was empty. Call a tool, or give your final answer as text.',
  }
}

function nameCalls(calls: readonly RawCall[], { freshId }: ParseContext): ToolCall[] {
  const named: ToolCall[] = []
  for (const [index, raw] of calls.entries()) {
    const twin = calls.findIndex((each) => isSameCall(each, raw))
    const repeatOf = twin < index ? named[twin]?.id : undefined
    named.push({
      id: freshId(raw.id, index),
      name: raw.name,
      arguments: raw.arguments,
      ...(repeatOf === undefined ? {} : { repeatOf }),
    })
  }
  return named
}

/** Services that send one call twice give both the same id. Without an id, two equal calls are two wishes. */
const isSameCall = (a: RawCall, b: RawCall): boolean =>
  a === b || (a.id !== undefined && a.id !== '' && a.id === b.id && a.name === b.name && a.arguments === b.arguments)
