import type { Message } from '../core/message.ts'
import type { Reply, ToolDefinition, WireMessage } from '../core/request.ts'
import { findIncomplete } from './incomplete.ts'
import { type Section, sectionsOf, withoutInvented } from './labels.ts'
import { endOfObject } from './loose-json.ts'
import type { ParseContext, ParsedReply, Protocol } from './protocol.ts'
import { argumentsOf, readSpokenCall, type SpokenCall } from './spoken-call.ts'
import { toolList } from './tool-list.ts'

/**
 * Thought, Action, Observation in text. One action a reply: the first that can be run; what follows it was written without
 * its result and is dropped. An action wins over an answer beside it.
 */
export const thoughtAction: Protocol = {
  name: 'thought-action',
  nativeTools: () => [],
  instructions,
  stop: ['Observation:'],
  render,
  parse,
}

function render(message: Message): WireMessage {
  if (message.role === 'assistant') return { ...message, calls: [] }
  if (message.role !== 'observation') return message
  return { role: 'user', text: message.call === undefined ? message.text : `Observation: ${message.text}` }
}

function parse(reply: Reply, context: ParseContext): ParsedReply {
  const incomplete = findIncomplete(reply)
  if (incomplete !== undefined) return incomplete
  const text = withoutInvented(reply.text)
  const sections = sectionsOf(text)
  const at = sections.findIndex(({ label, text }) => label === 'action' && text !== '')
  const action = sections[at]
  if (action !== undefined) return called(text, action, sections[at + 1], context)
  const answer = sections.find(({ label }) => label === 'answer')
  if (answer !== undefined && answer.text !== '') return { kind: 'claim', text, answer: answer.text }
  return {
    kind: 'malformed',
    text,
    problem: 'The reply has neither an Action nor a Final Answer.',
    observation: `Nothing was executed: your reply has neither an action nor a final answer.\n${EXPECTED}`,
  }
}

function called(
  text: string,
  action: Section,
  next: Section | undefined,
  { freshId, tools }: ParseContext,
): ParsedReply {
  const input = next?.label === 'input' ? next : undefined
  const call = readAction(action.text, input?.text, tools)
  const kept = text.slice(0, input?.end ?? action.end).trimEnd()
  return { kind: 'calls', text: kept, calls: [{ id: freshId(undefined, 0), ...call }] }
}

/** `{"name": …}`, or `name` with an Action Input, or `name[input]`. */
function readAction(action: string, input: string | undefined, tools: readonly ToolDefinition[]): SpokenCall {
  const bare = withoutFence(action)
  if (bare.startsWith('{')) return readSpokenCall(bare.slice(0, endOfObject(bare, 0) ?? bare.length))
  const bracketed = /^([\w.-]+)\s*\[([\s\S]*)\]$/.exec(bare)
  if (input === undefined && bracketed !== null) return withOneInput(bracketed[1] ?? '', bracketed[2] ?? '', tools)
  const [name = '', ...more] = bare.split(/\r?\n/)
  if (input === undefined && more.join('').trim() !== '') return { name: name.trim(), ...readInput(more.join('\n')) }
  return { name: name.trim().replaceAll(/^[`"']|[`"']$/g, ''), ...readInput(input ?? '') }
}

function readInput(input: string): Pick<SpokenCall, 'arguments' | 'problem'> {
  const bare = withoutFence(input)
  const end = bare.startsWith('{') ? (endOfObject(bare, 0) ?? bare.length) : bare.length
  return argumentsOf(bare.slice(0, end))
}

/** `name[input]` is certain only for a tool with one argument, a text. */
function withOneInput(name: string, input: string, tools: readonly ToolDefinition[]): SpokenCall {
  if (input.trim() === '' || input.trim().startsWith('{')) return { name, ...readInput(input) }
  const properties = tools.find((tool) => tool.name === name)?.parameters.properties ?? {}
  const [only, ...others] = Object.entries(properties)
  if (only !== undefined && others.length === 0 && (only[1] as { type?: unknown }).type === 'string')
    return { name, arguments: JSON.stringify({ [only[0]]: input }) }
  return { name, arguments: JSON.stringify(input), problem: 'this tool needs an Action Input with named arguments' }
}

const withoutFence = (text: string): string =>
  (/^```[^\n]*\r?\n([\s\S]*?)\r?\n[ \t]*```[ \t]*$/.exec(text.trim())?.[1] ?? text).trim()

const EXPECTED = [
  'Thought: what you know and what you need',
  'Action: {"name": "…", "arguments": {…}}',
  'and nothing behind it; the result comes as "Observation: …", which only the system writes. Or, to end:',
  'Thought: …',
  'Final Answer: …',
].join('\n')

function instructions(tools: readonly ToolDefinition[]): string {
  return `Write in this form, one action a reply:\n${EXPECTED}\n\nThe tools, one a line:\n${toolList(tools)}`
}
