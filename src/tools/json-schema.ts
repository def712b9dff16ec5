import { createRequire } from 'node:module'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { describeError, TaoError } from '../core/error.ts'
import type { JsonObject } from '../core/json.ts'

/** A schema that checks with Ajv and describes itself with the JSON Schema it was made of. */
export type JsonSchema<T> = StandardSchemaV1<T, T> & StandardJSONSchemaV1<T, T>

/**
 * Makes a Standard Schema out of a plain JSON Schema (draft-07, or 2020-12 where `$schema` says so), for tools declared
 * without a schema library. Ajv is loaded by the first call. Formats are told to the model but not checked, and values
 * are never changed: no defaults, no conversion. Throws a `TaoError` when it is no valid JSON Schema.
 */
export function fromJsonSchema<T = JsonObject>(schema: JsonObject): JsonSchema<T> {
  const check = compile(schema)
  const describe = () => ({ ...schema })
  return {
    '~standard': {
      version: 1,
      vendor: 'tao',
      validate: (value) =>
        check(value) ? { value: value as T } : { issues: (check.errors ?? []).slice(0, 10).map(toIssue) },
      jsonSchema: { input: describe, output: describe },
    },
  }
}

function compile(schema: JsonObject): ValidateFunction {
  const dialect = String(schema.$schema ?? '').includes('2020-12') ? 'ajv/dist/2020.js' : 'ajv'
  const loaded = createRequire(import.meta.url)(dialect) as { readonly default: typeof Ajv }
  try {
    return new loaded.default({ strict: false, allErrors: true, validateFormats: false, logger: false }).compile(schema)
  } catch (error) {
    throw new TaoError('tool', `This is not a JSON Schema that can be checked: ${describeError(error)}`, {
      fix: 'Correct the schema that was given to fromJsonSchema.',
      cause: error,
    })
  }
}

function toIssue(error: ErrorObject): StandardSchemaV1.Issue {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return { message: error.message ?? error.keyword, path }
}
