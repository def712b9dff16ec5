import type { Message } from '../core/message.ts'
import type { Reply, ToolDefinition, WireMessage } from '../core/request.ts'
import { findIncomplete } from './incomplete.ts'
import { endOfObject } from './loose-json.ts'
import type { ParseContext, ParsedReply, Protocol } from './protocol.ts'
import { readSpokenCall, type SpokenCall } from './spoken-call.ts'
import { toolList } from './tool-list.ts'

/**
 * Tags in text, as the Hermes and Qwen families and Alibaba's research agent write them: `<think>`, `<tool_call>` with an
 * object (and `<code>` behind it), `<answer>`. Results come back as user messages in `<tool_response>`.
 */
export const tagged: Protocol = {
  name: 'tagged',
  nativeTools: () => [],
  instructions,
  stop: ['\n<tool_response>', '<tool_response>'],
  render,
  parse,
}

function render(message: Message): WireMessage {
  if (message.role === 'assistant') return { ...message, calls: [] }
  if (message.role !== 'observation') return message
  if (message.call === undefined) return { role: 'user', text: message.text }
  return { role: 'user', text: `<tool_response>\n${defuse(message.text)}\n</tool_response>` }
}

/** A result cannot close its own block or open another. */
const defuse = (text: string): string => text.replaceAll(/<(\/?)(tool_response|tool_call|answer)\b/g, '<$1\u200b$2')

function parse(reply: Reply, { freshId }: ParseContext): ParsedReply {
  const incomplete = findIncomplete(reply)
  if (incomplete !== undefined) return incomplete
  const text = cutInvented(reply.text)
  const spoken = text.slice(endOfThinking(text))
  const calls = readCalls(spoken)
  if (calls.length > 0) {
    return { kind: 'calls', text, calls: calls.map((call, index) => ({ id: freshId(undefined, index), ...call })) }
  }
  const answer = /<answer>([\s\S]*?)(?:<\/answer>|$)/.exec(spoken)?.[1]?.trim()
  if (answer) return { kind: 'claim', text, answer }
  return {
    kind: 'malformed',
    text,
    problem: 'The reply has neither a <tool_call> nor an <answer> outside of its thinking.',
    observation: `Nothing was executed: your reply has neither a tool call nor an answer.\n${EXPECTED}`,
  }
}

/** What the model wrote as if it were a result is not kept and never read. */
function cutInvented(text: string): string {
  const at = text.indexOf('<tool_response>')
  return at === -1 ? text : text.slice(0, at).trimEnd()
}

/** Calls in thoughts are thoughts. Thinking ends at the last closing tag that no answer holds. */
function endOfThinking(text: string): number {
  const answer = text.indexOf('<answer>')
  const closings = [...text.matchAll(/<\/think\s*>/g)].filter(({ index }) => answer === -1 || index < answer)
  const last = closings.at(-1)
  if (last !== undefined) return last.index + last[0].length
  return /^\s*<think\s*>/.test(text) ? text.length : 0
}

function readCalls(text: string): SpokenCall[] {
  const calls: SpokenCall[] = []
  for (let at = text.indexOf(OPEN); at !== -1; ) {
    const { call, end } = readBlock(text, at + OPEN.length)
    calls.push(call)
    at = text.indexOf(OPEN, end)
  }
  return calls
}

const OPEN = '<tool_call>'
const CLOSE = '</tool_call>'

/** One block, from behind its opening tag. The object's own end counts, so a text in it may hold the closing tag. */
function readBlock(text: string, from: number): { readonly call: SpokenCall; readonly end: number } {
  const start = text.indexOf('{', from)
  const closing = text.indexOf(CLOSE, from)
  const end = start === -1 || (closing !== -1 && closing < start) ? undefined : endOfObject(text, start)
  if (end === undefined) {
    const stop = closing === -1 ? text.length : closing
    return { call: readSpokenCall(text.slice(from, stop)), end: stop }
  }
  const call = readSpokenCall(text.slice(start, end))
  const code = /^\s*<code>\n?([\s\S]*?)\n?<\/code>/.exec(text.slice(end))
  return code === null ? { call, end } : { call: withCode(call, code[1] ?? ''), end: end + code[0].length }
}

function withCode(call: SpokenCall, code: string): SpokenCall {
  if (call.problem !== undefined) return call
  return { ...call, arguments: JSON.stringify({ ...(JSON.parse(call.arguments) as object), code }) }
}

const EXPECTED =
  'To call a tool: <tool_call>{"name": "…", "arguments": {…}}</tool_call>\nTo end with your final answer: <answer>…</answer>'

function instructions(tools: readonly ToolDefinition[]): string {
  return [
    'Think inside <think></think>. Then either call tools or answer; a result comes back in <tool_response></tool_response>, which only the system writes.',
    EXPECTED,
    `The tools, one a line:\n<tools>\n${toolList(tools)}\n</tools>`,
  ].join('\n\n')
}
