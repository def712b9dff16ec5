import type { ToolCall } from '../core/call.ts'
import { TaoError } from '../core/error.ts'
import type { AssistantMessage, Message } from '../core/message.ts'
import type { RawCall, Reply, ToolDefinition, WireMessage } from '../core/request.ts'
import { fillTemplate } from '../core/template.ts'
import { withoutLeadingThoughts } from './dialects/thinking.ts'
import { findIncomplete } from './incomplete.ts'
import { openNativeReader } from './native-reader.ts'
import { EN } from './prompts/en.ts'
import type { Prompts } from './prompts/prompts.ts'
import type { ParseContext, ParsedReply, Protocol } from './protocol.ts'
import { toolName, wireName } from './wire-names.ts'

/** The service's own tool calls. A reply with calls is calls, whatever else it says; text alone claims to be done. */
export const nativeIn = (prompts: Prompts): Protocol => ({
  name: 'native',
  prompts,
  nativeTools: (tools) => tools.map((tool) => ({ ...tool, name: wireName(tool.name, tools) })),
  form: (tools) => (tools.length === 0 ? '' : prompts.native.form),
  listTools: () => '',
  stop: [],
  render,
  openReader: openNativeReader,
  prepare,
  parse: (reply, context) => parse(reply, context, prompts),
})

export const native: Protocol = nativeIn(EN)

/** Most services turn every call of a model into one of theirs: the dialects are loaded by the first text that may hold calls. */
let dialects: typeof import('./dialects/read-dialect.ts') | undefined

async function prepare(reply: Pick<Reply, 'calls' | 'text'>): Promise<void> {
  if (mayHoldCalls(reply)) dialects ??= await import('./dialects/read-dialect.ts')
}

/** No dialect writes a call without one of these. */
const mayHoldCalls = ({ calls, text }: Pick<Reply, 'calls' | 'text'>): boolean =>
  calls.length === 0 && /[<>[{]/.test(text)

/** The service knows each tool by the name under which it was told of it. */
function render(message: Message, tools: readonly ToolDefinition[]): WireMessage {
  if (message.role === 'assistant') return turn(message, tools)
  if (message.role !== 'observation') return message
  if (message.call === undefined) return { role: 'user', text: message.text }
  return { role: 'tool', text: message.text, call: sentAs(message.call, tools) }
}

/** A turn from before the run went on in this protocol had its calls in the text: here they are sent as calls. */
function turn({ writtenIn, ...message }: AssistantMessage, tools: readonly ToolDefinition[]): WireMessage {
  const calls = message.calls.map((call) => sentAs(call, tools))
  const isText = writtenIn !== undefined && writtenIn !== 'native' && calls.length > 0
  return { ...message, text: isText ? '' : message.text, calls }
}

function sentAs(call: ToolCall, tools: readonly ToolDefinition[]): ToolCall {
  const name = wireName(call.name, tools)
  return name === call.name ? call : { ...call, name }
}

function parse(reply: Reply, context: ParseContext, prompts: Prompts): ParsedReply {
  const incomplete = findIncomplete(reply, prompts)
  if (incomplete !== undefined) return incomplete
  if (reply.calls.length > 0) return { kind: 'calls', text: reply.text, calls: nameCalls(reply.calls, context) }
  const spoken = mayHoldCalls(reply) ? readText(reply.text, context, prompts) : undefined
  if (spoken !== undefined) return spoken
  const answer = withoutLeadingThoughts(reply.text).trim()
  if (answer !== '') return { kind: 'claim', text: reply.text, answer }
  return {
    kind: 'malformed',
    text: '',
    problem: 'The reply is empty: no text and no call.',
    observation: prompts.native.empty,
  }
}

/** Undefined where the text is only text. */
function readText(text: string, context: ParseContext, prompts: Prompts): ParsedReply | undefined {
  if (dialects === undefined) throw new TaoError('protocol', 'A reply was read before `prepare` was awaited.')
  const spoken = dialects.readDialect(text, context)
  if (spoken === undefined) return undefined
  if (spoken.kind === 'calls')
    return { ...spoken, calls: spoken.calls.map((call) => ({ ...call, name: toolName(call.name, context.tools) })) }
  const { problem } = spoken
  const observation = fillTemplate(prompts.native.unread, { problem })
  return { kind: 'malformed', text, problem: `Nothing in it can be read as a call: ${problem}`, observation }
}

function nameCalls(calls: readonly RawCall[], { freshId, tools }: ParseContext): ToolCall[] {
  const named: ToolCall[] = []
  for (const [index, raw] of calls.entries()) {
    const twin = calls.findIndex((each) => isSameCall(each, raw))
    const repeatOf = twin < index ? named[twin]?.id : undefined
    named.push({
      id: freshId(raw.id, index),
      name: toolName(raw.name, tools),
      arguments: raw.arguments,
      ...(repeatOf === undefined ? {} : { repeatOf }),
    })
  }
  return named
}

/** Services that send one call twice give both the same id. Without an id, two equal calls are two wishes. */
const isSameCall = (a: RawCall, b: RawCall): boolean =>
  a === b || (a.id !== undefined && a.id !== '' && a.id === b.id && a.name === b.name && a.arguments === b.arguments)
