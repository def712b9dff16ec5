import type { JsonObject } from '../core/json.ts'
import type { ToolDefinition } from '../core/request.ts'
import { withoutBound } from '../policy/bound.ts'
import type { ToolPolicy } from '../policy/schema.ts'
import type { Run } from './run.ts'

/** What the policy says of a tool; undefined without a policy, and for a tool that it does not know. */
export function ruleOf({ parts }: Pick<Run, 'parts'>, name: string): ToolPolicy | undefined {
  const tools = parts.permission?.policy.tools
  return tools !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined
}

/** The arguments that a model may give, as a JSON Schema: without those that the session sets. */
export const openParameters = ({ parameters }: ToolDefinition, rule: ToolPolicy | undefined): JsonObject =>
  rule === undefined ? parameters : withoutBound(parameters, rule)
