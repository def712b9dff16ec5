import { isJsonObject, type Json } from './json.ts'

/** JSON with its keys in order, so that equal values have equal bytes. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_key, each: Json) =>
    isJsonObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  )
}
