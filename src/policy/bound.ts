import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { Session } from './fit.ts'
import type { ToolPolicy } from './schema.ts'

/** The JSON Schema of a tool's arguments as the model sees it: what the session sets is not in it. */
export function withoutBound(schema: JsonObject, { args }: ToolPolicy): JsonObject {
  const isOpen = (name: unknown) => typeof name !== 'string' || !isBound(args, name)
  const { properties, required } = schema
  return {
    ...schema,
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isOpen(name))) }
      : {}),
    ...(Array.isArray(required) ? { required: required.filter(isOpen) } : {}),
  }
}

/** The arguments of a call without what the session sets. */
export const ownArguments = (args: JsonObject, { args: specs }: ToolPolicy): JsonObject =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !isBound(specs, name)))

const isBound = (specs: ToolPolicy['args'], name: string): boolean => {
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined
  return spec !== undefined && 'bind' in spec
}

/** The arguments of a call that was decided on, with what the session sets. */
export function withBound(args: JsonObject, tool: ToolPolicy, session: Session): JsonObject {
  const bound = Object.entries(tool.args).flatMap(([name, spec]) => {
    const value = 'bind' in spec && Object.hasOwn(session, spec.bind) ? session[spec.bind] : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...args, ...Object.fromEntries(bound) }
}
