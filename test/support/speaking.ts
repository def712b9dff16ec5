import type { ToolCall } from '../../src/core/call.ts'
import type { WireMessage } from '../../src/core/request.ts'
import { argumentText, type ScriptCall, type ScriptReply } from '../../src/model/script.ts'

type Policy = (request: { readonly messages: readonly WireMessage[] }) => ScriptReply

interface Speech {
  write(text: string, calls: readonly ScriptCall[]): string
  answer(text: string): string
  /** The result in a message of the request; undefined for any other message. */
  result(text: string): string | undefined
  readonly callsAtOnce: number
}

const inputOf = (call: ScriptCall): unknown => JSON.parse(argumentText(call))

const SPEECHES: Readonly<Record<string, Speech>> = {
  tagged: {
    write: (text, calls) =>
      `<think>${text}</think>\n${calls
        .map((call) => `<tool_call>\n${JSON.stringify({ name: call.name, arguments: inputOf(call) })}\n</tool_call>`)
        .join('\n')}`,
    answer: (text) => `<think>Done.</think>\n<answer>${text}</answer>`,
    result: (text) => /^<tool_response>\n([\s\S]*)\n<\/tool_response>$/.exec(text)?.[1],
    callsAtOnce: Number.POSITIVE_INFINITY,
  },
  'thought-action': {
    write: (text, [call]) =>
      `Thought: ${text}\nAction: ${call?.name}\nAction Input: ${call === undefined ? '' : JSON.stringify(inputOf(call))}`,
    answer: (text) => `Thought: Done.\nFinal Answer: ${text}`,
    result: (text) => /^Observation: ([\s\S]*)$/.exec(text)?.[1],
    callsAtOnce: 1,
  },
  'agent-calls': {
    write: (_text, calls) =>
      JSON.stringify({ response: '', agent_calls: calls.map((call) => ({ agent: call.name, args: inputOf(call) })) }),
    answer: (text) => JSON.stringify({ response: text, agent_calls: [] }),
    result: (text) => (text.startsWith('{"agent":') ? (JSON.parse(text) as { result: string }).result : undefined),
    callsAtOnce: Number.POSITIVE_INFINITY,
  },
}

/** A policy that knows native calls, made to speak another protocol: the same decisions in another writing. */
export function speaking(protocol: string, policy: Policy): Policy {
  const speech = SPEECHES[protocol]
  if (speech === undefined) return policy
  const made: ToolCall[] = []
  let waiting: readonly ScriptCall[] = []
  return (request) => {
    if (waiting.length === 0) {
      const { text = '', calls = [] } = policy({ messages: heard(request.messages, speech, made) }) as SpokenReply
      if (calls.length === 0) return { text: speech.answer(text) }
      waiting = calls
    }
    const now = waiting.slice(0, speech.callsAtOnce)
    waiting = waiting.slice(now.length)
    for (const call of now) made.push({ id: `${made.length}`, name: call.name, arguments: argumentText(call) })
    return { text: speech.write('I go on.', now) }
  }
}

type SpokenReply = Extract<ScriptReply, { readonly calls?: readonly ScriptCall[] }>

/** The request as the native protocol would show it: results know the call they answer. */
function heard(messages: readonly WireMessage[], speech: Speech, made: readonly ToolCall[]): WireMessage[] {
  let next = 0
  return messages.map((message) => {
    const text = message.role === 'user' ? speech.result(message.text) : undefined
    const call = text === undefined ? undefined : made[next++]
    return text === undefined || call === undefined ? message : { role: 'tool', text, call }
  })
}
