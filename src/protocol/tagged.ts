import type { AssistantMessage, Message } from '../core/message.ts'
import type { Reply, WireMessage } from '../core/request.ts'
import { earlierTurn } from './earlier-turn.ts'
import { findIncomplete } from './incomplete.ts'
import { EN } from './prompts/en.ts'
import type { Prompts } from './prompts/prompts.ts'
import type { ParseContext, ParsedReply, Protocol } from './protocol.ts'
import { withoutStop } from './stop-gate.ts'
import { readTaggedCalls } from './tagged-calls.ts'
import { INVENTED_RESULT, openTaggedReader } from './tagged-reader.ts'
import { toolList, toolSection } from './tool-list.ts'

/**
 * Tags in text, as the Hermes and Qwen families and Alibaba's research agent write them: `<think>`, `<tool_call>` with an
 * object (and `<code>` behind it), `<answer>`. Results come back as user messages in `<tool_response>`.
 */
export const taggedIn = (prompts: Prompts): Protocol => ({
  name: 'tagged',
  prompts,
  nativeTools: () => [],
  form: () => prompts.tagged.form,
  listTools: (tools) => toolSection(tools, prompts, `<tools>\n${toolList(tools)}\n</tools>`),
  stop: ['\n<tool_response>', '<tool_response>'],
  render,
  openReader: openTaggedReader,
  parse: (reply, context) => parse(reply, context, prompts),
})

export const tagged: Protocol = taggedIn(EN)

function render(message: Message): WireMessage {
  if (message.role === 'assistant') return turn(message)
  if (message.role !== 'observation') return message
  if (message.call === undefined) return { role: 'user', text: message.text }
  return { role: 'user', text: `<tool_response>\n${defuse(message.text)}\n</tool_response>` }
}

function turn(message: AssistantMessage): WireMessage {
  const earlier = earlierTurn(message, 'tagged')
  if (earlier === undefined) return { ...message, calls: [] }
  const calls = earlier.calls.map(({ name, input }) => JSON.stringify({ name, arguments: input }))
  const blocks = calls.map((call) => `<tool_call>\n${call}\n</tool_call>`)
  return { role: 'assistant', text: [earlier.said, ...blocks].join('\n').trim(), calls: [] }
}

/** A result cannot close its own block or open another. */
const defuse = (text: string): string => text.replaceAll(/<(\/?)(tool_response|tool_call|answer)\b/g, '<$1\u200b$2')

function parse(reply: Reply, { freshId, tools }: ParseContext, prompts: Prompts): ParsedReply {
  const incomplete = findIncomplete(reply, prompts)
  if (incomplete !== undefined) return incomplete
  const text = withoutStop(reply.text, INVENTED_RESULT)
  const { spoken, blocks } = readTaggedCalls(text, tools)
  if (blocks.length > 0) {
    const calls = blocks.map(({ call }, index) => ({ id: freshId(undefined, index), ...call }))
    const dialect = blocks.find((block) => block.dialect !== undefined)?.dialect
    return { kind: 'calls', text, calls, ...(dialect === undefined ? {} : { dialect }) }
  }
  const answer = /<answer>([\s\S]*?)(?:<\/answer>|$)/.exec(spoken)?.[1]?.trim()
  if (answer) return { kind: 'claim', text, answer }
  return {
    kind: 'malformed',
    text,
    problem: 'The reply has neither a <tool_call> nor an <answer> outside of its thinking.',
    observation: prompts.tagged.unread,
  }
}
