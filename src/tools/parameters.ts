import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { describeError, TaoError } from '../core/error.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'

/**
 * The JSON Schema a model is told: the given one, or what the schema library makes of its own schema. Objects that list
 * their properties and say nothing about others are closed. Throws a `TaoError` when there is none, or when it does not
 * describe an object.
 */
export function describeParameters(name: string, schema: StandardSchemaV1, given?: JsonObject): JsonObject {
  if (given !== undefined) return describe(name, given)
  const parameters = described.get(schema) ?? describe(name, askSchema(name, schema))
  described.set(schema, parameters)
  return parameters
}

/** Tools are made anew for each run, most of them of the same schemas: writing one out takes longer than all else about them. */
const described = new WeakMap<StandardSchemaV1, JsonObject>()

function describe(name: string, { $schema: _, ...parameters }: JsonObject): JsonObject {
  if (parameters.type !== 'object')
    throw new TaoError('tool', `The arguments of tool "${name}" are not described as an object.`, {
      fix: 'Make the schema an object with one property for each argument.',
    })
  return closeObjects({ ...parameters, properties: parameters.properties ?? {} })
}

function askSchema(name: string, schema: StandardSchemaV1): JsonObject {
  const standard = schema['~standard'] as Partial<StandardJSONSchemaV1['~standard']>
  const fix = 'Give a JSON Schema as `parameters`.'
  if (standard.jsonSchema === undefined)
    throw new TaoError('tool', `The schema of tool "${name}" (${standard.vendor}) cannot describe itself.`, { fix })
  try {
    return standard.jsonSchema.input({ target: 'draft-07' }) as JsonObject
  } catch (error) {
    const message = `The schema of tool "${name}" cannot be written as JSON Schema: ${describeError(error)}`
    throw new TaoError('tool', message, { fix, cause: error })
  }
}

/** Keywords below which schemas stand: one, a list of them, or a table by name. `allOf` is left open: its parts add up. */
const ONE_OR_LIST = ['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf'] as const
const TABLES = ['properties', 'definitions', '$defs'] as const

function closeObjects(schema: JsonObject): JsonObject {
  const closed: Record<string, Json> = { ...schema }
  if (isJsonObject(schema.properties) && schema.additionalProperties === undefined && !('allOf' in schema))
    closed.additionalProperties = false
  for (const keyword of ONE_OR_LIST) {
    const inner = schema[keyword]
    if (Array.isArray(inner)) closed[keyword] = inner.map(closeIfSchema)
    else if (isJsonObject(inner)) closed[keyword] = closeObjects(inner)
  }
  for (const keyword of TABLES) {
    const table = schema[keyword]
    if (isJsonObject(table))
      closed[keyword] = Object.fromEntries(Object.entries(table).map(([key, inner]) => [key, closeIfSchema(inner)]))
  }
  return closed
}

const closeIfSchema = (schema: Json): Json => (isJsonObject(schema) ? closeObjects(schema) : schema)
