import type { AssistantMessage, Message } from '../core/message.ts'
import type { Reply, ToolDefinition, WireMessage } from '../core/request.ts'
import { earlierTurn } from './earlier-turn.ts'
import { findIncomplete } from './incomplete.ts'
import { type Section, sectionsOf, withoutInvented } from './labels.ts'
import { endOfObject, isFollowedByObject } from './loose-json.ts'
import { EN } from './prompts/en.ts'
import type { Prompts } from './prompts/prompts.ts'
import type { ParseContext, ParsedReply, Protocol } from './protocol.ts'
import { argumentsOf, readSpokenCall, type SpokenCall } from './spoken-call.ts'
import { openThoughtActionReader } from './thought-action-reader.ts'
import { toolSection } from './tool-list.ts'

/**
 * Thought, Action, Observation in text. One action a reply: the first that can be run; what follows it was written without
 * its result and is dropped. So does what follows an answer.
 */
export const thoughtActionIn = (prompts: Prompts): Protocol => ({
  name: 'thought-action',
  prompts,
  nativeTools: () => [],
  form: () => prompts.thoughtAction.form,
  listTools: (tools) => toolSection(tools, prompts),
  stop: prompts.thoughtAction.stop,
  render: (message) => render(message, prompts.thoughtAction.observation),
  openReader: openThoughtActionReader,
  parse: (reply, context) => parse(reply, context, prompts),
})

export const thoughtAction: Protocol = thoughtActionIn(EN)

function render(message: Message, label: string): WireMessage {
  if (message.role === 'assistant') return turn(message)
  if (message.role !== 'observation') return message
  return { role: 'user', text: message.call === undefined ? message.text : `${label}: ${message.text}` }
}

function turn(message: AssistantMessage): WireMessage {
  const earlier = earlierTurn(message, 'thought-action')
  if (earlier === undefined) return { ...message, calls: [] }
  const actions = earlier.calls.map(({ name, input }) => `Action: ${name}\nAction Input: ${JSON.stringify(input)}`)
  return { role: 'assistant', text: [`Thought: ${earlier.said}`.trim(), ...actions].join('\n'), calls: [] }
}

function parse(reply: Reply, context: ParseContext, prompts: Prompts): ParsedReply {
  const incomplete = findIncomplete(reply, prompts)
  if (incomplete !== undefined) return incomplete
  const text = withoutInvented(reply.text)
  const sections = sectionsOf(text)
  const at = sections.findIndex(({ label, text }) => (label === 'action' || label === 'answer') && text !== '')
  const first = sections[at]
  if (first?.label === 'action') return called(text, first, sections[at + 1], context)
  if (first !== undefined) return { kind: 'claim', text, answer: first.text }
  return {
    kind: 'malformed',
    text,
    problem: 'The reply has neither an Action nor a Final Answer.',
    observation: prompts.thoughtAction.unread,
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
  if (bare.startsWith('{')) return readSpokenCall(firstObject(bare))
  const bracketed = /^([^\s[\]]+)\s*\[([\s\S]*)\]$/.exec(bare)
  if (input === undefined && bracketed !== null) return withOneInput(bracketed[1] ?? '', bracketed[2] ?? '', tools)
  const [name = ''] = bare.split(/\r?\n/, 1)
  const more = bare.slice(name.length)
  if (input === undefined && more.trim() !== '') return { name: name.trim(), ...readInput(more) }
  return { name: name.trim().replaceAll(/^[`"']|[`"']$/g, ''), ...readInput(input ?? '') }
}

const readInput = (input: string): Omit<SpokenCall, 'name'> => argumentsOf(withoutFence(input))

/** Further objects are further actions: dropped like all that follows the first. */
function firstObject(text: string): string {
  const end = text.startsWith('{') ? endOfObject(text, 0) : undefined
  return end !== undefined && isFollowedByObject(text, end) ? text.slice(0, end) : text
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
