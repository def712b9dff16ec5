import type { Rung } from '../core/call.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { AssistantMessage, Message } from '../core/message.ts'
import type { Reply, WireMessage } from '../core/request.ts'
import { fillTemplate } from '../core/template.ts'
import { openAgentCallsReader } from './agent-calls-reader.ts'
import { earlierTurn } from './earlier-turn.ts'
import { findIncomplete } from './incomplete.ts'
import { readLooseObject } from './loose-json.ts'
import { EN } from './prompts/en.ts'
import type { AgentCallProblems, Prompts } from './prompts/prompts.ts'
import type { ParseContext, ParsedReply, Protocol } from './protocol.ts'
import { type SpokenCall, spokenCallOf } from './spoken-call.ts'
import { toolSection } from './tool-list.ts'

/** One JSON object a reply: `{response, agent_calls: [{agent, args}]}`. The response counts only when nothing is called. */
export const agentCallsIn = (prompts: Prompts): Protocol => ({
  name: 'agent-calls',
  prompts,
  nativeTools: () => [],
  form: () => prompts.agentCalls.form,
  listTools: (tools) => toolSection(tools, prompts),
  stop: [],
  render,
  openReader: () => openAgentCallsReader((text) => answerIn(text, prompts)),
  parse: (reply, context) => parse(reply, context, prompts),
})

export const agentCalls: Protocol = agentCallsIn(EN)

const FIELDS = { name: ['agent', 'name', 'tool'], arguments: ['args', 'arguments', 'parameters'] }

function render(message: Message): WireMessage {
  if (message.role === 'assistant') return turn(message)
  if (message.role !== 'observation') return message
  const { call, text } = message
  return {
    role: 'user',
    text: JSON.stringify(call === undefined ? { note: text } : { agent: call.name, result: text }),
  }
}

function turn(message: AssistantMessage): WireMessage {
  const earlier = earlierTurn(message, 'agent-calls')
  if (earlier === undefined) return { ...message, calls: [] }
  const calls = earlier.calls.map(({ name, input }) => ({ agent: name, args: input }))
  return { role: 'assistant', text: JSON.stringify({ response: earlier.said, agent_calls: calls }), calls: [] }
}

function parse(reply: Reply, { freshId }: ParseContext, prompts: Prompts): ParsedReply {
  const incomplete = findIncomplete(reply, prompts)
  if (incomplete !== undefined) return incomplete
  const { text } = reply
  const malformed = (problem: keyof AgentCallProblems, detail = ''): ParsedReply => ({
    kind: 'malformed',
    text,
    problem: problemIn(EN, problem, detail),
    observation: fillTemplate(prompts.agentCalls.unread, { problem: problemIn(prompts, problem, detail) }),
  })
  if (!text.includes('{')) return malformed('noObject')
  const read = readLooseObject(text)
  if (!read.ok) return malformed('unreadable', read.problem)
  const calls = readCalls(read.value, read.rung)
  if (calls === undefined) return malformed('calls')
  if (calls.length > 0) {
    return { kind: 'calls', text, calls: calls.map((call, index) => ({ id: freshId(undefined, index), ...call })) }
  }
  const { response } = read.value
  if (typeof response === 'string' && response.trim() !== '') return { kind: 'claim', text, answer: response.trim() }
  return malformed('empty')
}

function answerIn(text: string, prompts: Prompts): string | undefined {
  const reply: Reply = { text, calls: [], finish: 'stop', firstByteMs: 0, totalMs: 0 }
  const parsed = parse(reply, { tools: [], freshId: () => '' }, prompts)
  return parsed.kind === 'claim' ? parsed.answer : undefined
}

/** Undefined where there is something that cannot be read as a call: then nothing is run. */
function readCalls({ agent_calls: given }: JsonObject, rung: Rung): SpokenCall[] | undefined {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) return undefined
  const calls = given.map((each) => (isJsonObject(each) ? spokenCallOf(each, FIELDS, rung) : undefined))
  return calls.every((call) => call !== undefined) ? calls.map(withoutSlash) : undefined
}

/** Models that know chat commands write the name as one: `/remind`. */
const withoutSlash = (call: SpokenCall): SpokenCall => ({ ...call, name: call.name.replace(/^\//, '') })

/** People read it in English, the model in the run's language. */
const problemIn = ({ agentCalls }: Prompts, problem: keyof AgentCallProblems, detail: string): string =>
  fillTemplate(agentCalls.problems[problem], { detail })
