import { isDeepStrictEqual } from 'node:util'
import JSON5 from 'json5'
import { jsonrepair } from 'jsonrepair'
import type { Rung, ToolCall } from '../../src/core/call.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts'
import type { Reply } from '../../src/core/request.ts'
import { isWritten, spokenPlaces } from './strict-dialects.ts'

/**
 * A second opinion on what a reply asks for, written without looking at the parsers: it tries every piece between two braces
 * in the part of a reply where calls may stand. Slow, and only good for saying whether a call that was read is there.
 */
export function isFindable(protocol: string, reply: Reply, call: ToolCall, all = [call]): boolean {
  if (['length', 'broken', 'filtered'].includes(reply.finish)) return false
  if (protocol === 'native') return reply.calls.length > 0 ? isSent(reply, call) : isSpoken(reply.text, call, all)
  const place = PLACES[protocol]?.(reply.text) ?? ''
  if (protocol === 'thought-action' && isNamedAction(place, call)) return true
  return isObjectIn(place, call, protocol) || (protocol === 'tagged' && call.untyped === true && isWritten(place, call))
}

const isObjectIn = (place: string, call: ToolCall, protocol: string): boolean =>
  someObject(place, call.rung, (value) => callsOf(protocol, value).some((each) => isSame(each, call, place)))

const isSent = ({ calls }: Reply, call: ToolCall): boolean =>
  calls.some(({ name, arguments: written }) => name === call.name && written === call.arguments)

/** A call that was left in the text, in whichever form. */
function isSpoken(text: string, call: ToolCall, all: readonly ToolCall[]): boolean {
  return spokenPlaces(text, all).some((place) => isWritten(place, call) || isObjectIn(place, call, 'native'))
}

/** The part of a reply in which a call may stand. */
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  tagged: (text) => {
    const [kept = ''] = text.split('<tool_response>')
    const masked = withoutQuotedThoughts(kept)
    const [beforeAnswer = ''] = masked.split('<answer>')
    const thoughts = beforeAnswer.split(/<\/think\s*>/)
    if (thoughts.length === 1 && /^\s*<think\s*>/.test(text)) return ''
    const spoken = kept.slice(beforeAnswer.length - (thoughts.at(-1) ?? '').length)
    return spoken.includes('<tool_call>') ? spoken.slice(spoken.indexOf('<tool_call>')) : ''
  },
  'thought-action': (text) => {
    const [kept = ''] = text.split(
      /^[ \t]*(?:\*\*)?(?:Observation|Наблюдение|观察|观察结果)(?:[ \t]*\d+)?[ \t]*(?:\*\*)?[ \t]*[:：]/im,
    )
    const label = /^[ \t]*(?:\*\*)?(?:Action|Действие|行动|动作)(?:[ \t]*\d+)?[ \t]*(?:\*\*)?[ \t]*[:：]/im.exec(kept)
    return label === null ? '' : kept.slice(label.index + label[0].length)
  },
  'agent-calls': (text) => text,
}

/** A tag of thinking, but for the one that ends thoughts which were begun, in a call that goes on, or in a quoted text of it, is a part of that call. */
function withoutQuotedThoughts(text: string): string {
  const [thought = ''] = text.split(/<\/think\s*>/)
  const isThinking = /^\s*<think\s*>/.test(text)
  return text.replaceAll(/<\/think\s*>/g, (tag, at: number) => {
    const before = text.slice(0, at)
    const block = before.slice(before.lastIndexOf('<tool_call>'))
    const isInside = /^<tool_call>[^{<]*\{/.test(block) && !block.includes('</tool_call>')
    const isText = isInside || isQuoted(block) || isQuoted(before.slice(before.lastIndexOf('\n')))
    return (at > thought.length || !isThinking) && isText ? '_'.repeat(tag.length) : tag
  })
}

const isQuoted = (before: string): boolean =>
  ['"', "'"].some((quote) => before.replaceAll(/\\[\s\S]/g, '').split(quote).length % 2 === 0)

interface Found {
  readonly name: string
  readonly input: Json | undefined
}

const first = (value: JsonObject, names: readonly string[]): Json | undefined =>
  names.flatMap((name) => (Object.hasOwn(value, name) ? [value[name]] : []))[0]

function callsOf(protocol: string, value: JsonObject): Found[] {
  const given = protocol === 'agent-calls' ? value.agent_calls : [value]
  const names = protocol === 'agent-calls' ? ['agent', 'name', 'tool'] : ['name', 'tool', 'action', 'function']
  const inputs = ['args', 'arguments', 'parameters', 'action_input', 'input']
  if (protocol !== 'agent-calls') inputs.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
  return (Array.isArray(given) ? given.filter(isJsonObject) : []).flatMap((each) => {
    const name = first(each, names)
    return typeof name === 'string'
      ? [
          {
            name: protocol === 'agent-calls' ? name.trim().replace(/^\//, '') : name.trim(),
            input: first(each, inputs),
          },
        ]
      : []
  })
}
const ORDER = ['arguments', 'parameters', 'args', 'action_input', 'input']

function isSame({ name, input }: Found, call: ToolCall, place: string): boolean {
  if (name !== call.name) return false
  const { code, ...others } = JSON.parse(call.arguments) as JsonObject
  const given = typeof code === 'string' && place.includes(`<code>`) && place.includes(code) ? [others] : []
  return [JSON.parse(call.arguments) as JsonObject, ...given].some((wanted) => says(input, wanted, call.rung))
}

function says(input: Json | undefined, wanted: JsonObject, rung: Rung | undefined): boolean {
  if (input === undefined || input === null || input === '') return Object.keys(wanted).length === 0
  if (typeof input === 'string') return someObject(input, rung, (each) => isDeepStrictEqual(plain(each), wanted))
  return isDeepStrictEqual(plain(input), wanted)
}

/** As JSON writes it: there is no negative zero. */
const plain = (value: Json): unknown => JSON.parse(JSON.stringify(value))

/** `name`, with arguments behind it or in an Action Input, or `name[text]`. */
function isNamedAction(place: string, call: ToolCall): boolean {
  const wanted = JSON.parse(call.arguments) as JsonObject
  if (!place.includes(call.name)) return false
  const [text, ...others] = Object.values(wanted)
  if (text === undefined) return true
  if (typeof text === 'string' && others.length === 0 && place.includes(`[${text}]`)) return true
  return someObject(
    place,
    call.rung,
    (each) => says(each, wanted, call.rung) || says(JSON.stringify(each), wanted, call.rung),
  )
}

/** Whether an object that stands between two braces is the one, as far as the rung allows to read loosely. */
function someObject(text: string, rung: Rung | undefined, isIt: (value: JsonObject) => boolean): boolean {
  const opens = [...text.matchAll(/\{/g)].map(({ index }) => index)
  const closes = [...text.matchAll(/\}/g)].map(({ index }) => index + 1)
  for (const open of opens)
    for (const close of closes.filter((each) => each > open).slice(0, MOST_BRACES)) {
      for (const read of READERS[rung ?? 'strict']) {
        const value = read(text.slice(open, close))
        if (isJsonObject(value) && isIt(value)) return true
      }
    }
  return false
}

/** As many closing braces an object of the fuzzer has at most. */
const MOST_BRACES = 40

type Reader = (text: string) => unknown

const attempt =
  (read: Reader): Reader =>
  (text) => {
    try {
      return read(text)
    } catch {
      return undefined
    }
  }

const strict = attempt((text) => JSON.parse(text))
const escaped = attempt((text) => JSON.parse(doubled(text)))
const json5 = attempt((text) => JSON5.parse(text))
const json5Escaped = attempt((text) => JSON5.parse(doubled(text)))
const repaired = attempt((text) => {
  const plain = doubled(text.replaceAll(/"""([^\\]*?)"""/g, (_, inner: string) => JSON.stringify(inner)))
  const json = jsonrepair(plain)
  return brackets(json) === brackets(plain) ? JSON.parse(json) : undefined
})

/** Repairing adds brackets and drops them; here that counts as another text. */
const brackets = (text: string): string => text.replaceAll(/[^{}[\]]/g, '')

/** Each backslash that begins no escape of JSON, twice. */
function doubled(text: string): string {
  let made = ''
  for (let at = 0; at < text.length; at++) {
    const pair = text.slice(at, at + 2)
    if (text[at] !== '\\') made += text[at]
    else if (/^\\["'\\/bfnrt]$/.test(pair) || /^\\u[0-9a-f]{4}$/i.test(text.slice(at, at + 6))) {
      made += pair
      at += 1
    } else made += '\\\\'
  }
  return made
}

const READERS: Readonly<Record<Rung, readonly Reader[]>> = {
  strict: [strict],
  cut: [strict],
  escape: [strict, escaped],
  json5: [strict, escaped, json5, json5Escaped],
  repair: [strict, escaped, json5, json5Escaped, repaired],
}
