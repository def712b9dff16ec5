import type { ToolDefinition } from '../core/request.ts'

/** The tools as a prompt in text names them: one line of JSON each, so that descriptions cannot break the list. */
export function toolList(tools: readonly ToolDefinition[]): string {
  return tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters })).join('\n')
}
