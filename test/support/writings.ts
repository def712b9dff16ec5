import JSON5 from 'json5'
import type { Reply } from '../../src/core/request.ts'
import { agentCalls } from '../../src/protocol/agent-calls.ts'
import { native } from '../../src/protocol/native.ts'
import type { Protocol } from '../../src/protocol/protocol.ts'
import { tagged } from '../../src/protocol/tagged.ts'
import { thoughtAction } from '../../src/protocol/thought-action.ts'

// A run prepares for each reply; here all of it is loaded once, so that replies can be read in place.
await native.prepare?.({ calls: [], text: '<' })

/** One way in which models write a call in a protocol. `call` is the JSON of its name and arguments, perhaps miswritten. */
export interface Writing {
  readonly name: string
  readonly protocol: Protocol
  /** How name and arguments become a text; JSON unless said. */
  readonly stringify?: (value: object) => string
  /** The call as an object, or its arguments alone: what `wrap` puts into a reply. */
  readonly body: (name: string, input: object) => object
  readonly wrap: (name: string, bodies: readonly string[]) => Partial<Reply>
  /** A protocol with one action a reply. */
  readonly oneCall?: boolean
}

const tags = (bodies: readonly string[]): Partial<Reply> => ({
  text: `<think>I need this.</think>\n${bodies.map((body) => `<tool_call>\n${body}\n</tool_call>`).join('\n')}`,
})
const envelope = (bodies: readonly string[]): Partial<Reply> => ({
  text: `{"response": "", "agent_calls": [${bodies.join(', ')}]}`,
})

export const WRITINGS: readonly Writing[] = [
  {
    name: 'native',
    protocol: native,
    body: (_name, input) => input,
    wrap: (name, bodies) => ({ calls: bodies.map((body) => ({ name, arguments: body })) }),
    oneCall: true,
  },
  {
    name: 'tagged',
    protocol: tagged,
    body: (name, input) => ({ name, arguments: input }),
    wrap: (_name, bodies) => tags(bodies),
  },
  {
    name: 'tagged, as JSON5',
    protocol: tagged,
    stringify: (value) => JSON5.stringify(value),
    body: (name, input) => ({ name, arguments: input }),
    wrap: (_name, bodies) => tags(bodies),
  },
  {
    name: 'tagged, arguments as a text',
    protocol: tagged,
    body: (name, input) => ({ name, arguments: JSON.stringify(input) }),
    wrap: (_name, bodies) => tags(bodies),
  },
  {
    name: 'thought-action, an object',
    protocol: thoughtAction,
    body: (name, input) => ({ name, arguments: input }),
    wrap: (_name, [body]) => ({ text: `Thought: I need this.\nAction: ${body}` }),
    oneCall: true,
  },
  {
    name: 'thought-action, Action Input',
    protocol: thoughtAction,
    body: (_name, input) => input,
    wrap: (name, [body]) => ({ text: `Thought: I need this.\nAction: ${name}\nAction Input: ${body}` }),
    oneCall: true,
  },
  {
    name: 'agent-calls',
    protocol: agentCalls,
    body: (name, input) => ({ agent: name, args: input }),
    wrap: (_name, bodies) => envelope(bodies),
  },
  {
    name: 'agent-calls, args as a text',
    protocol: agentCalls,
    body: (name, input) => ({ agent: name, args: JSON.stringify(input) }),
    wrap: (_name, bodies) => envelope(bodies),
  },
]
