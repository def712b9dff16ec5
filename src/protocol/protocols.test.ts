import { agentCalls } from './agent-calls.ts'
import { native } from './native.ts'
import { protocolContract } from './protocol.contract.ts'
import { tagged } from './tagged.ts'
import { thoughtAction } from './thought-action.ts'

protocolContract(native, {
  calls: (text, calls) => ({
    text,
    calls: calls.map(({ name, input }) => ({ name, arguments: JSON.stringify(input) })),
  }),
  answer: (text) => ({ text }),
})

protocolContract(tagged, {
  calls: (text, calls) => ({
    text: `<think>${text}</think>\n${calls
      .map(({ name, input }) => `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`)
      .join('\n')}`,
  }),
  answer: (text) => ({ text: `<think>ok</think>\n<answer>${text}</answer>` }),
})

protocolContract(thoughtAction, {
  calls: (text, calls) => ({
    text: calls
      .map(({ name, input }) => `Thought: ${text}\nAction: ${JSON.stringify({ name, arguments: input })}`)
      .join('\n'),
  }),
  answer: (text) => ({ text: `Thought: I know.\nFinal Answer: ${text}` }),
  oneCall: true,
})

protocolContract(agentCalls, {
  calls: (_text, calls) => ({
    text: JSON.stringify({ response: '', agent_calls: calls.map(({ name, input }) => ({ agent: name, args: input })) }),
  }),
  answer: (text) => ({ text: JSON.stringify({ response: text, agent_calls: [] }) }),
})
