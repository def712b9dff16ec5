import { isJsonObject, type Json, type JsonObject, readJson } from './json.ts'

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
 * stays wrong, and is refused as it is.
 */
export function coerce(given: JsonObject, schema: JsonObject): Coerced {
  const notes: string[] = []
  const value = unwrap(given, schema, notes)
  return { value: coerceObject(value, schema, { path: '', notes }), notes }
}

interface Place {
  readonly path: string
  readonly notes: string[]
}

function unwrap(given: JsonObject, schema: JsonObject, notes: string[]): JsonObject {
  const [key, ...others] = Object.keys(given)
  if (key === undefined || others.length > 0 || !WRAPPERS.includes(key)) return given
  const inner = given[key]
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
  if (isJsonObject(value)) return coerceObject(value, schema, place)
  const { items } = schema
  if (!Array.isArray(value) || !isJsonObject(items)) return value
  return value.map((each, i) => coerceValue(each, items, { ...place, path: `${place.path}[${i}]` }))
}

function readText(text: string, schema: JsonObject, { path, notes }: Place): Json {
  const types = typesOf(schema)
  if (types.size === 0 || types.has('string')) return text
  const value = valueIn(text.trim())
  const type = value === undefined ? undefined : typeOf(value)
  const isWanted = type !== undefined && (types.has(type) || (type === 'integer' && types.has('number')))
  if (value === undefined || !isWanted) return text
  notes.push(`"${path}" came as a text and was read as ${type === 'integer' ? 'a number' : `${type}`}`)
  return value
}

/** What the text says as JSON; raw line breaks in its strings are allowed, words of truth in any case. */
function valueIn(text: string): Json | undefined {
  const word = /^(true|false|null)$/i.test(text) ? text.toLowerCase() : text
  const strict = readJson(word)
  if (strict.ok) return strict.value
  const escaped = readJson(
    text.replaceAll(/"(?:[^"\\]|\\[\s\S])*"/g, (string) => string.replaceAll(CONTROL, escapeControl)),
  )
  return escaped.ok ? escaped.value : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROL = /[\u0000-\u001f]/g
const escapeControl = (character: string): string => JSON.stringify(character).slice(1, -1)

/** The types that a schema takes, those of its alternatives included; empty where it does not say. */
function typesOf(schema: JsonObject): Set<string> {
  const { type, enum: values, const: only, anyOf, oneOf } = schema
  const named =
    typeof type === 'string' ? [type] : Array.isArray(type) ? type.filter((each) => typeof each === 'string') : []
  const listed = Array.isArray(values) ? values.map(typeOf) : only === undefined ? [] : [typeOf(only)]
  const alternatives = [anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? each.filter(isJsonObject) : []))
  if (alternatives.some((each) => typesOf(each).size === 0)) return new Set()
  return new Set([
    ...(named.length > 0 ? named : listed),
    ...alternatives.flatMap((each) => [...typesOf(each)]),
  ] as string[])
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {})
