import type { ToolDefinition } from '../core/request.ts'
import { DEEP_RESEARCH, DEEP_RESEARCH_FORM } from './prompts/deep-research.ts'
import type { Prompts } from './prompts/prompts.ts'
import type { Protocol } from './protocol.ts'
import { taggedIn } from './tagged.ts'

/**
 * The tagged protocol with the messages of Alibaba's research agent (`inference/react_agent.py`), so that runs can be compared.
 * Replies are read as ever: a call beside an answer does not lose the answer, several calls run, a turn with neither is told
 * what is expected.
 */
export const deepResearchIn = (prompts: Prompts): Protocol => ({
  ...taggedIn(prompts),
  layout: DEEP_RESEARCH,
  form: () => DEEP_RESEARCH_FORM,
  listTools: (tools) => `<tools>\n${tools.map(signature).join('\n')}\n</tools>`,
})

const signature = ({ name, description, parameters }: ToolDefinition): string =>
  JSON.stringify({ type: 'function', function: { name, description, parameters } })
