import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { Message } from '../core/message.ts'
import type { Reply, ToolDefinition, WireMessage } from '../core/request.ts'
import { findIncomplete } from './incomplete.ts'
import { endOfObject, readLooseObject } from './loose-json.ts'
import type { ParseContext, ParsedReply, Protocol } from './protocol.ts'
import { type SpokenCall, spokenCallOf } from './spoken-call.ts'
import { toolList } from './tool-list.ts'

/** One JSON object a reply: `{response, agent_calls: [{agent, args}]}`. The response counts only when nothing is called. */
export const agentCalls: Protocol = {
  name: 'agent-calls',
  nativeTools: () => [],
  instructions,
  stop: [],
  render,
  parse,
}

const FIELDS = { name: ['agent', 'name', 'tool'], arguments: ['args', 'arguments', 'parameters'] }

function render(message: Message): WireMessage {
  if (message.role === 'assistant') return { ...message, calls: [] }
  if (message.role !== 'observation') return message
  const { call, text } = message
  return {
    role: 'user',
    text: JSON.stringify(call === undefined ? { note: text } : { agent: call.name, result: text }),
  }
}

function parse(reply: Reply, { freshId }: ParseContext): ParsedReply {
  const incomplete = findIncomplete(reply)
  if (incomplete !== undefined) return incomplete
  const { text } = reply
  const start = text.indexOf('{')
  const end = start === -1 ? undefined : endOfObject(text, start)
  if (end === undefined) return malformed(text, 'The reply is no JSON object.')
  const read = readLooseObject(text.slice(start, end))
  if (!read.ok) return malformed(text, `The reply cannot be read: ${read.problem}.`)
  const calls = readCalls(read.value)
  if (calls === undefined) return malformed(text, '"agent_calls" is no list of objects that name an agent.')
  if (calls.length > 0) {
    return { kind: 'calls', text, calls: calls.map((call, index) => ({ id: freshId(undefined, index), ...call })) }
  }
  const { response } = read.value
  if (typeof response === 'string' && response.trim() !== '') return { kind: 'claim', text, answer: response.trim() }
  return malformed(text, 'The reply calls nothing, and its "response" is empty.')
}

/** Undefined where there is something that cannot be read as a call: then nothing is run. */
function readCalls({ agent_calls: given }: JsonObject): SpokenCall[] | undefined {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) return undefined
  const calls = given.map((each) => (isJsonObject(each) ? spokenCallOf(each, FIELDS) : undefined))
  return calls.every((call) => call !== undefined) ? calls.map(withoutSlash) : undefined
}

/** Models that know chat commands write the name as one: `/remind`. */
const withoutSlash = (call: SpokenCall): SpokenCall => ({ ...call, name: call.name.replace(/^\//, '') })

const EXPECTED =
  '{"response": "…", "agent_calls": [{"agent": "…", "args": {…}}]}\n' +
  'With calls, "response" is empty. Without calls, "response" is your final answer.'

const malformed = (text: string, problem: string): ParsedReply => ({
  kind: 'malformed',
  text,
  problem,
  observation: `Nothing was executed. ${problem} Reply with one JSON object and nothing else:\n${EXPECTED}`,
})

function instructions(tools: readonly ToolDefinition[]): string {
  return [
    `Reply with one JSON object and nothing else:\n${EXPECTED}`,
    'The result of each call comes back as {"agent": …, "result": …}, which only the system writes.',
    `The agents you can call, one a line:\n${toolList(tools)}`,
  ].join('\n\n')
}
