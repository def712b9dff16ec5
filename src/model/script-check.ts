import { TaoError } from '../core/error.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import type { Finish } from '../core/request.ts'
import type { Script, ScriptReply } from './script.ts'

export const scriptError = (path: string, problem: string, fix?: string): TaoError =>
  new TaoError('script', `The script ${path} ${problem}.`, fix === undefined ? {} : { fix })

/** Checks the shape of a script. What a reply says is not checked: it may be as wrong as a service can be. */
export function checkScript(value: unknown, path: string): Script {
  if (!Array.isArray(value)) throw scriptError(path, 'does not hold a list of replies', 'Write: [{ "text": "…" }]')
  return value.map((reply: unknown, at) => checkReply(reply, `reply ${at + 1}`, path))
}

export function checkReply(value: unknown, where: string, path: string): ScriptReply {
  if (!isJsonObject(value)) throw scriptError(path, `is wrong at ${where}: an object is expected`)
  for (const [key, field] of Object.entries(value)) {
    const check = FIELDS.get(key)
    const problem = check === undefined ? `is not known; there are ${[...FIELDS.keys()].join(', ')}` : check(field)
    if (problem !== undefined) throw scriptError(path, `is wrong at ${where}: "${key}" ${problem}`)
  }
  const mixed = 'error' in value ? Object.keys(value).find((key) => key !== 'error' && key !== 'delayMs') : undefined
  if (mixed !== undefined) throw scriptError(path, `is wrong at ${where}: "error" and "${mixed}" exclude each other`)
  return value as ScriptReply
}

/** Gives what is wrong, or undefined. */
type Check = (value: Json) => string | undefined

const expecting =
  (problem: string, holds: (value: Json) => boolean): Check =>
  (value) =>
    holds(value) ? undefined : problem

const onlyHas = (value: JsonObject, keys: readonly string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key))

const isText = (value: Json | undefined): boolean => typeof value === 'string'
const isAmount = (value: Json): boolean => typeof value === 'number' && value >= 0

const FINISHES: readonly Finish[] = ['stop', 'calls', 'length', 'filtered', 'broken', 'other']
const COUNTS = ['inputFresh', 'inputCached', 'inputCacheWritten', 'output', 'reasoning', 'cost']

const isUsage = (value: Json): boolean =>
  isJsonObject(value) && onlyHas(value, COUNTS) && Object.values(value).every(isAmount)

const isFailure = (value: Json): boolean =>
  isJsonObject(value) && onlyHas(value, ['status', 'body']) && Number.isInteger(value.status)

function isCall(call: Json): boolean {
  if (!isJsonObject(call) || !onlyHas(call, ['id', 'name', 'arguments'])) return false
  const { id, name, arguments: given } = call
  return (id === undefined || isText(id)) && isText(name) && (isText(given) || isJsonObject(given))
}

function checkCalls(value: Json): string | undefined {
  if (!Array.isArray(value)) return 'must be a list'
  const bad = value.findIndex((call: Json) => !isCall(call))
  if (bad < 0) return undefined
  return `has a wrong entry ${bad + 1}: { id?, name, arguments } is expected, with a text or an object as arguments`
}

const FIELDS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['text', expecting('must be a text', isText)],
  ['reasoning', expecting('must be a text', isText)],
  ['calls', checkCalls],
  ['finish', expecting(`must be one of ${FINISHES.join(', ')}`, (value) => FINISHES.some((known) => known === value))],
  ['usage', expecting(`must be an object of numbers: ${COUNTS.join(', ')}`, isUsage)],
  ['error', expecting('must be { status, body? } with an HTTP status', isFailure)],
  ['delayMs', expecting('must be a number of milliseconds', isAmount)],
])
