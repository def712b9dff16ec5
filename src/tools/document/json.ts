import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { ReadableText } from './reading.ts'
import { showTable, TABLE_ROOM } from './table.ts'

/** JSON as it stands there; of a long list of objects, or of lines of them, what is in their fields, with samples. */
export function jsonToText(text: string): ReadableText {
  if (text.length <= TABLE_ROOM) return { text }
  const objects = objectsIn(text)
  return { text: objects === undefined ? text : showTable({ name: 'List of objects', rows: rowsOf(objects) }) }
}

function objectsIn(text: string): readonly JsonObject[] | undefined {
  const values = parse(text) ?? parseLines(text)
  return Array.isArray(values) && values.length > 1 && values.every(isJsonObject) ? values : undefined
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined // Lines of JSON, or nothing that can be read as more than text.
  }
}

const parseLines = (text: string): (Json | undefined)[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parse)

function rowsOf(objects: readonly JsonObject[]): string[][] {
  const fields = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  return [fields, ...objects.map((object) => fields.map((field) => cellText(object[field])))]
}

const cellText = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
