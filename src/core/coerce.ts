import { isJsonObject, type Json, type JsonObject, readJson } from './json.ts'
import { literalIn } from './python-literal.ts'

/** A value as its schema wants it, and a sentence for each thing that had to be read differently from how it was written. */
export interface Coerced {
  readonly value: JsonObject
  readonly notes: readonly string[]
}

/** Names under which models wrap all arguments once more. */
const WRAPPERS = ['arguments', 'input', 'parameters']

/**
 * Reads what was written in quotes as what the schema wants, only where that is certain: the schema takes no text there, and
 * the text is exactly such a value. A text that the schema takes stays a text, whatever it looks like; a value that is wrong
 * stays wrong, and is refused as it is. Values that came `untyped`, without quotes, are read as a text last: where a schema
 * takes both, `5` is the number.
 */
export function coerce(given: JsonObject, schema: JsonObject, { untyped = false } = {}): Coerced {
  const notes: string[] = []
  const value = unwrap(given, schema, notes)
  return { value: coerceObject(value, schema, { path: '', notes, untyped }), notes }
}

interface Place {
  readonly path: string
  readonly notes: string[]
  readonly untyped: boolean
}

function unwrap(given: JsonObject, schema: JsonObject, notes: string[]): JsonObject {
  const [key, ...others] = Object.keys(given)
  if (key === undefined || others.length > 0 || !WRAPPERS.includes(key)) return given
  const written = given[key]
  const inner = typeof written === 'string' ? valueIn(written.trim(), new Set(['object'])) : written
  if (Object.hasOwn(propertiesOf(schema), key) || !isJsonObject(inner)) return given
  notes.push(`the arguments were wrapped in "${key}"`)
  return inner
}

function coerceObject(given: JsonObject, schema: JsonObject, place: Place): JsonObject {
  const properties = propertiesOf(schema)
  const entries = Object.entries(given).map(([key, value]): [string, Json] => {
    const wanted = Object.hasOwn(properties, key) ? properties[key] : undefined
    const path = place.path === '' ? key : `${place.path}.${key}`
    return [key, isJsonObject(wanted) ? coerceValue(value, wanted, { ...place, path }) : value]
  })
  return Object.fromEntries(entries)
}

function coerceValue(given: Json, schema: JsonObject, place: Place): Json {
  const value = typeof given === 'string' ? readText(given, schema, place) : given
  const inner = { ...place, untyped: false }
  if (isJsonObject(value)) return coerceObject(value, alternativeWith('properties', schema), inner)
  const { items } = alternativeWith('items', schema)
  if (!Array.isArray(value) || !isJsonObject(items)) return value
  return value.map((each, i) => coerceValue(each, items, { ...inner, path: `${place.path}[${i}]` }))
}

/** The one schema among the alternatives that describes what is inside; where several do, none is certain. */
function alternativeWith(keyword: 'properties' | 'items', schema: JsonObject): JsonObject {
  const describing = [schema, ...alternativesOf(schema)].filter((each) => isJsonObject(each[keyword]))
  return describing.length === 1 ? (describing[0] ?? schema) : schema
}

function readText(text: string, schema: JsonObject, { path, notes, untyped }: Place): Json {
  const types = typesOf(schema)
  if (types.size === 0 || (types.has('string') && !untyped)) return text
  const value = valueIn(text.trim(), types)
  if (value === undefined || value === text) return text
  const type = typeOf(value)
  notes.push(`"${path}" came as a text and was read as ${type === 'integer' ? 'a number' : `${type}`}`)
  return value
}

/** What the text says, if it is one of these types: as JSON, else as JSON with raw line breaks, else as a Python literal. */
function valueIn(text: string, types: ReadonlySet<string>): Json | undefined {
  const isWanted = (value: Json | undefined): value is Json =>
    value !== undefined &&
    typeof value !== 'string' &&
    (types.has(typeOf(value)) || (typeOf(value) === 'integer' && types.has('number')))
  return [jsonIn, jsonWithBreaksIn, literalIn].map((read) => read(text)).find(isWanted)
}

/** Words of truth in any case, whole numbers with leading zeros. */
function jsonIn(text: string): Json | undefined {
  const word = /^(true|false|null)$/i.test(text) ? text.toLowerCase() : text
  const read = readJson(/^-?\d+$/.test(word) ? word.replace(/^(-?)0+(?=\d)/, '$1') : word)
  return read.ok ? read.value : undefined
}

function jsonWithBreaksIn(text: string): Json | undefined {
  const read = readJson(
    text.replaceAll(/"(?:[^"\\]|\\[\s\S]?)*(?:"|$)/g, (string) => string.replaceAll(CONTROL, escapeControl)),
  )
  return read.ok ? read.value : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROL = /[\u0000-\u001f]/g
const escapeControl = (character: string): string => JSON.stringify(character).slice(1, -1)

/** The types that a schema takes, those of its alternatives included; empty where it does not say. */
function typesOf(schema: JsonObject): Set<string> {
  const { type, enum: values, const: only } = schema
  const named =
    typeof type === 'string' ? [type] : Array.isArray(type) ? type.filter((each) => typeof each === 'string') : []
  const listed = Array.isArray(values) ? values.map(typeOf) : only === undefined ? [] : [typeOf(only)]
  const alternatives = alternativesOf(schema)
  if (alternatives.some((each) => typesOf(each).size === 0)) return new Set()
  return new Set([
    ...(named.length > 0 ? named : listed),
    ...alternatives.flatMap((each) => [...typesOf(each)]),
  ] as string[])
}

const alternativesOf = ({ anyOf, oneOf }: JsonObject): JsonObject[] =>
  [anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? each.filter(isJsonObject) : []))

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {})
