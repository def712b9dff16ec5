import type { ToolCall } from '../core/call.ts'
import { coerce } from '../core/coerce.ts'
import type { Fact } from '../core/event.ts'
import { isJsonObject, type JsonObject, readJson } from '../core/json.ts'
import { didYouMean } from '../core/nearest.ts'
import type { Tool } from '../tools/tool.ts'
import { refusal } from './answers.ts'
import type { Run } from './run.ts'
import type { OpenCall } from './state.ts'

/** Decides on each call before anything runs. A refusal is an answer to the call, so the model can go on from it. */
export async function* check(run: Run, calls: readonly OpenCall[]): AsyncGenerator<Fact> {
  for (const { call } of calls) yield await decide(run, call)
}

async function decide(run: Run, call: ToolCall): Promise<Fact> {
  const { tools } = run.parts
  const bound = run.state.started?.limits.toolCalls ?? 0
  if (call.repeatOf !== undefined) {
    return refusal(
      call,
      'repeated',
      `This repeats call ${call.repeatOf} of the same reply to the letter. It was run once, not twice.`,
    )
  }
  if (run.state.counts.toolCalls >= bound) {
    return refusal(call, 'limit', `Not run: the limit of ${bound} tool calls is used up.`)
  }
  if (call.problem !== undefined) return refusal(call, 'invalid-arguments', `Not run: ${call.problem}`)
  const tool = tools.get(call.name)
  if (tool === undefined) {
    const help = didYouMean(call.name, [...tools.keys()])
    return refusal(call, 'unknown-tool', `There is no tool "${call.name.slice(0, 100)}". ${help} Nothing was run.`)
  }
  const read = await readArguments(tool, call)
  if (!read.ok) return refusal(call, 'invalid-arguments', `Not run: ${read.problem}`)
  const coerced = read.notes.length === 0 ? {} : { coerced: read.notes }
  return { kind: 'call.cleared', call: call.id, name: call.name, effects: tool.effects, ...coerced }
}

export type ArgumentReading =
  | { readonly ok: true; readonly input: unknown; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: string }

/** From the bytes that the model wrote to what the tool takes; the one way for every protocol. */
export async function readArguments(tool: Tool, call: ToolCall): Promise<ArgumentReading> {
  const object = readArgumentObject(call.arguments)
  if (!object.ok) return object
  const { value, notes } = coerce(object.value, tool.definition.parameters)
  const validation = await tool.validate(value)
  if (validation.ok) return { ...validation, notes }
  return { ok: false, problem: `the arguments of ${call.name} are wrong. ${validation.problems.join(' ')}` }
}

type ObjectReading =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly problem: string }

/** Empty arguments mean no arguments; anything else must be one JSON object. */
function readArgumentObject(text: string): ObjectReading {
  if (text.trim() === '') return { ok: true, value: {} }
  const read = readJson(text)
  if (!read.ok)
    return { ok: false, problem: `the arguments cannot be read: ${read.problem}. They began: ${quote(text)}` }
  if (isJsonObject(read.value)) return { ok: true, value: read.value }
  return { ok: false, problem: `the arguments must be one JSON object. They began: ${quote(text)}` }
}

const quote = (text: string): string =>
  text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters in all)`
