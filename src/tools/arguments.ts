import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { didYouMean } from '../core/nearest.ts'

/**
 * Compares arguments with the JSON Schema the model was told: unknown names, missing ones, wrong types, values outside a
 * list. One sentence each. What only the schema library knows (ranges, patterns, rules between fields) is not looked at.
 */
export function findProblems(parameters: JsonObject, input: JsonObject): string[] {
  return check({ root: parameters, schema: parameters, value: input, path: '' })
}

interface Check {
  readonly root: JsonObject
  readonly schema: Json | undefined
  readonly value: Json
  readonly path: string
}

function check(at: Check): string[] {
  const schema = resolve(at.root, at.schema)
  if (!isJsonObject(schema)) return []
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return checkChoices(at, choices)
  const types = listTypes(schema)
  if (types.length > 0 && !types.some((type) => hasType(at.value, type))) return [wrongType(at, types)]
  const allowed = allowedValues(schema)
  if (allowed !== undefined && !allowed.includes(at.value)) return [outsideList(at, allowed)]
  if (Array.isArray(at.value)) return checkItems(at, schema, at.value)
  return isJsonObject(at.value) ? checkProperties(at, schema, at.value) : []
}

function checkProperties(at: Check, schema: JsonObject, value: JsonObject): string[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const problems: string[] = []
  for (const [key, inner] of Object.entries(value)) {
    const path = at.path === '' ? key : `${at.path}.${key}`
    const known = Object.hasOwn(properties, key)
    if (!known && schema.additionalProperties === false && !matchesPattern(schema, key))
      problems.push(`Unknown argument "${path}". ${didYouMean(key, Object.keys(properties))}`)
    else if (known && inner === null && !required.includes(key)) problems.push(...checkNull(at, properties[key], path))
    else
      problems.push(
        ...check({ ...at, schema: known ? properties[key] : schema.additionalProperties, value: inner, path }),
      )
  }
  for (const key of required)
    if (typeof key === 'string' && !Object.hasOwn(value, key)) problems.push(missing(at, properties[key], key))
  return problems
}

function checkNull(at: Check, schema: Json | undefined, path: string): string[] {
  return check({ ...at, schema, value: null, path }).map((problem) => `${problem} Leave it out when there is none.`)
}

function checkItems(at: Check, schema: JsonObject, list: readonly Json[]): string[] {
  const items = schema.items
  if (!isJsonObject(items)) return []
  return list
    .flatMap((value, index) => check({ ...at, schema: items, value, path: `${at.path}.${index}` }))
    .slice(0, 10)
}

/** Of several choices none of which fits, the one with the fewest problems is what was meant. */
function checkChoices(at: Check, choices: readonly Json[]): string[] {
  const tried = choices.map((schema) => ({ types: typesOf(at.root, schema), problems: check({ ...at, schema }) }))
  if (tried.some(({ problems }) => problems.length === 0)) return []
  const meant = tried.filter(({ types }) => types.length === 0 || types.some((type) => hasType(at.value, type)))
  const [nearest] = meant.sort((a, b) => a.problems.length - b.problems.length)
  return nearest?.problems ?? [wrongType(at, [...new Set(tried.flatMap(({ types }) => types))])]
}

function typesOf(root: JsonObject, schema: Json): string[] {
  const found = resolve(root, schema)
  return isJsonObject(found) ? listTypes(found) : []
}

/** Follows a reference inside the schema; one that leads nowhere, or round in circles, checks nothing here. */
function resolve(root: JsonObject, schema: Json | undefined): Json | undefined {
  let found = schema
  for (let hops = 0; hops < 20; hops++) {
    const reference = isJsonObject(found) ? found.$ref : undefined
    if (typeof reference !== 'string') return found
    found = reference
      .split('/')
      .slice(1)
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<Json | undefined>(
        (inner, key) => (isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
        root,
      )
  }
  return undefined
}

function listTypes(schema: JsonObject): string[] {
  const type = schema.type
  return (Array.isArray(type) ? type : [type]).filter((name): name is string => typeof name === 'string')
}

function allowedValues(schema: JsonObject): readonly Json[] | undefined {
  const values = 'const' in schema ? [schema.const as Json] : schema.enum
  const simple = Array.isArray(values) && values.every((value) => typeof value !== 'object' || value === null)
  return simple ? (values as readonly Json[]) : undefined
}

function matchesPattern(schema: JsonObject, key: string): boolean {
  const patterns = isJsonObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : []
  return patterns.some((pattern) => new RegExp(pattern, 'u').test(key))
}

function hasType(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isJsonObject(value)
  if (type === 'null') return value === null
  return typeof value === type
}

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
])

const typeWords = (types: readonly string[]): string => types.map((type) => TYPE_WORDS.get(type) ?? type).join(' or ')

function missing(at: Check, schema: Json | undefined, key: string): string {
  const path = at.path === '' ? key : `${at.path}.${key}`
  const expected = typeWords(typesOf(at.root, schema ?? null))
  return `"${path}" is required${expected === '' ? '' : ` (${expected})`}, but it is missing.`
}

function wrongType(at: Check, types: readonly string[]): string {
  const where = at.path === '' ? 'The arguments' : `"${at.path}"`
  return `${where}: expected ${typeWords(types)}, but ${showValue(at.value)} came.${quotedHint(at.value, types)}`
}

/** One of several choices is refused for most arguments that are right: parsing each to no end would cost more than the check. */
const MAY_BE_JSON = /^\s*(?:["[{\d-]|true|false|null)/

/** A value that was written as a text, as models often do, is refused with the way out. */
function quotedHint(value: Json, types: readonly string[]): string {
  if (typeof value !== 'string' || !MAY_BE_JSON.test(value)) return ''
  try {
    const inner = JSON.parse(value) as Json
    return types.some((type) => hasType(inner, type)) ? ' Write the value itself, not a text that contains it.' : ''
  } catch {
    return ''
  }
}

function outsideList(at: Check, allowed: readonly Json[]): string {
  const texts = allowed.filter((value) => typeof value === 'string')
  const near = typeof at.value === 'string' && texts.length > 1 ? ` ${didYouMean(at.value, texts)}` : ''
  return `"${at.path}": expected ${allowed.map((value) => JSON.stringify(value)).join(' or ')}, but ${showValue(at.value)} came.${near}`
}

/** What came, in a few words that quote at most a hundred characters. Never throws. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  const quoted = text.length <= 100 ? text : `${text.slice(0, 100).toWellFormed()}… (${text.length} characters)`
  return typeof value === 'string' ? `the text ${quoted}` : quoted
}
