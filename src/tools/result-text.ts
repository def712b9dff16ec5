import type { ToolResult } from '../core/call.ts'
import { describeError } from '../core/error.ts'
import type { Json } from '../core/json.ts'
import { isUsage } from '../core/usage.ts'

const MAX_DEPTH = 32
const RESULT_FIELDS = new Set(['ok', 'text', 'exit', 'files', 'truncated', 'value', 'usage'])

/** Makes a result of whatever a tool returned. Never throws, and the text is never empty. */
export function toToolResult(name: string, returned: unknown): ToolResult {
  try {
    return convert(name, returned)
  } catch {
    return { ok: true, text: `${name} returned a value that cannot be shown (${typeof returned}).` }
  }
}

function convert(name: string, returned: unknown): ToolResult {
  if (returned === undefined) return { ok: true, text: `${name} finished and returned nothing.` }
  if (typeof returned === 'string')
    return { ok: true, text: returned === '' ? `${name} returned an empty text.` : returned, value: returned }
  if (isToolResult(returned)) return returned
  if (returned instanceof Error) return { ok: false, text: `${name} failed: ${describeError(returned)}` }
  const value = toJson(returned, [])
  return { ok: true, text: typeof value === 'string' ? value : JSON.stringify(value), value }
}

/** A result says `ok` and `text` and nothing that a result does not have; any other object is data. */
function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (!Object.keys(value).every((field) => RESULT_FIELDS.has(field))) return false
  const { ok, text, usage } = value as Partial<ToolResult>
  return typeof ok === 'boolean' && typeof text === 'string' && (usage === undefined || isUsage(usage))
}

/** `above` holds the objects the value stands in, so that one which contains itself is seen. */
function toJson(value: unknown, above: readonly object[]): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'function') return `[function ${value.name || 'without a name'}]`
  if (typeof value !== 'object') return String(value)
  if (above.includes(value)) return '[the object it stands in]'
  if (above.length >= MAX_DEPTH) return '[nested too deep]'
  try {
    return objectToJson(value, [...above, value])
  } catch (error) {
    return `[cannot be shown: ${describeError(error)}]`
  }
}

function objectToJson(value: object, above: readonly object[]): Json {
  if (value instanceof Error) return describeError(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid date' : value.toISOString()
  if (value instanceof ArrayBuffer) return bytesToText(new Uint8Array(value))
  if (ArrayBuffer.isView(value)) return bytesToText(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  if (Array.isArray(value)) return Array.from(value, (item) => toJson(item, above))
  if (value instanceof Set) return Array.from(value, (item) => toJson(item, above))
  if (value instanceof Map) return Array.from(value, (pair) => toJson(pair, above))
  if ('toJSON' in value && typeof value.toJSON === 'function') return toJson(value.toJSON(), above)
  const entries = Object.keys(value).map((key) => [key, readProperty(value, key, above)] as const)
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined))
}

/** A getter may throw; the other properties are shown all the same. */
function readProperty(value: object, key: string, above: readonly object[]): Json | undefined {
  try {
    const inner: unknown = Reflect.get(value, key)
    return inner === undefined ? undefined : toJson(inner, above)
  } catch (error) {
    return `[cannot be read: ${describeError(error)}]`
  }
}

function bytesToText(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (text !== '' && !text.includes('\0')) return text
  } catch {
    // Not text: told by size below.
  }
  return `[${bytes.byteLength} bytes that are not text]`
}
