import type { Json, JsonObject } from '../core/json.ts'
import { isListedAddress, type Session } from './fit.ts'
import { saysDate } from './says-date.ts'
import type { ArgumentType, OpenArgument, ToolPolicy } from './schema.ts'
import { saysId, saysNumber, saysText, standsWhole, type TypedWords } from './words.ts'

/** Where a value came from, found by search: the model is not asked. */
export type Origin = 'your words' | 'operator list' | 'the session' | `result ${number}` | 'composed by the model'

/** One value of a call as a person is shown it. A list has a row for each of its elements. */
export interface ArgumentOrigin {
  /** `to`, or `to[1]` for a value within. */
  readonly argument: string
  readonly value: Json
  readonly origin: Origin
}

/** A text that the model has been shown, with the number that people know it by. */
export interface ShownResult {
  readonly number: number
  readonly text: string
}

/** What a value may have come from. */
export interface Sources {
  readonly words: TypedWords
  /** Lists that the session brings, by name. */
  readonly known: Readonly<Record<string, readonly Json[]>>
  readonly results: readonly ShownResult[]
  readonly session: Session
}

/** A value of a call with the rule for its argument; what the session filled in has none. */
export interface Traced {
  readonly spec: OpenArgument | undefined
  readonly row: ArgumentOrigin
  /** True when the value carries the user's or the operator's authority, or needs none. */
  readonly anchored: boolean
}

/** Every value of a call that fits its policy. */
export function traceCall({ args: specs }: ToolPolicy, args: JsonObject, sources: Sources): Traced[] {
  return Object.entries(specs).flatMap(([name, spec]): Traced[] => {
    if ('bind' in spec) {
      const value = sources.session[spec.bind] ?? null
      return [{ spec: undefined, row: { argument: name, value, origin: 'the session' }, anchored: true }]
    }
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    return value === undefined ? [] : traceArgument(name, spec, value, sources)
  })
}

export function traceArgument(name: string, spec: OpenArgument, value: Json, sources: Sources): Traced[] {
  return leavesOf(name, value).map((leaf) => {
    const row = { ...leaf, origin: traceValue(spec, leaf.value, sources) }
    return { spec, row, anchored: isAnchored(spec, row) }
  })
}

function isAnchored(spec: OpenArgument, { value, origin }: ArgumentOrigin): boolean {
  if (spec.free === true || origin === 'your words' || origin === 'operator list') return true
  // An empty list names nobody, an empty payload says nothing; an empty sink could mean everything.
  return Array.isArray(value) ? value.length === 0 : value === '' && spec.role === 'payload'
}

function traceValue({ type, known }: OpenArgument, value: Json, sources: Sources): Origin {
  const listed = typeof known === 'string' ? ownList(sources.known, known) : (known ?? [])
  const element = 'list' in type ? type.list : type
  if (listed.includes(value) || isListedHost(element, value)) return 'operator list'
  if (saysValue(sources.words, element, value)) return 'your words'
  const result = sources.results.find(({ text }) => holds(text, value))
  return result === undefined ? 'composed by the model' : `result ${result.number}`
}

const ownList = (lists: Sources['known'], name: string): readonly Json[] =>
  (Object.hasOwn(lists, name) ? lists[name] : undefined) ?? []

const isListedHost = (type: ArgumentType, value: Json): boolean =>
  'url' in type && typeof value === 'string' && isListedAddress(value, type.url)

function saysValue(words: TypedWords, type: ArgumentType, value: Json): boolean {
  if (typeof value === 'string') {
    if ('id' in type) return saysId(words, type.id, value)
    return 'date' in type ? saysDate(words, value) : saysText(words, value)
  }
  if (typeof value !== 'number') return false
  return saysNumber(words, 'money' in type ? value / 10 ** (type.decimals ?? 2) : value)
}

/** A plain search: what was copied is found, what was put together is not. A number must stand alone. */
function holds(text: string, value: Json): boolean {
  if (typeof value === 'number') return standsWhole(text, String(value))
  return typeof value === 'string' && value.length >= 3 && text.includes(value)
}

/** A table stays whole: its keys say something too, so nobody vouches for it by vouching for its values. */
function leavesOf(argument: string, value: Json): { argument: string; value: Json }[] {
  if (!Array.isArray(value) || value.length === 0) return [{ argument, value }]
  return value.flatMap((each, at) => leavesOf(`${argument}[${at}]`, each))
}
