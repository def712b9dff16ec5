import type { ToolDefinition } from '../core/request.ts'
import type { Prompts } from './prompts/prompts.ts'

/** The tools as a prompt in text names them: one line of JSON each, so that descriptions cannot break the list. */
export function toolList(tools: readonly ToolDefinition[]): string {
  return tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters })).join('\n')
}

/** The list with a line before it; without tools, a sentence that says so. */
export function toolSection(tools: readonly ToolDefinition[], prompts: Prompts, list = toolList(tools)): string {
  return tools.length === 0 ? prompts.noTools : `${prompts.tools}\n${list}`
}
