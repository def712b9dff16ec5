import { isDeepStrictEqual } from 'node:util'
import type { ToolCall } from '../../src/core/call.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { isJsonObject } from '../../src/core/json.ts'
import type { Reply, ToolDefinition } from '../../src/core/request.ts'
import type { ParsedReply } from '../../src/protocol/protocol.ts'
import { readArguments } from '../../src/run/arguments.ts'
import { findProblems } from '../../src/tools/arguments.ts'
import type { BfclCase, WrittenCall } from './bfcl.ts'
import { WRITINGS, type Writing } from './writings.ts'

/** What becomes of a reply with one call: run as meant, answered with what is wrong, or run as something else. */
export type Verdict = 'right call' | 'cannot be read' | 'arguments are wrong' | 'wrong call'

export function parseWith(writing: Writing, part: Partial<Reply>, tools: readonly ToolDefinition[]): ParsedReply {
  const reply: Reply = { text: '', calls: [], finish: 'stop', firstByteMs: 0, totalMs: 0, ...part }
  return writing.protocol.parse(reply, { tools, freshId: (given, index) => given ?? `call_${index}` })
}

export const bodyOf = ({ stringify = JSON.stringify, body }: Writing, { name, input }: WrittenCall): string =>
  stringify(body(name, input))

/** How many of a case's calls come back with their name and arguments, written in one reply where the protocol allows it. */
export function countSurvivors({ calls = [], tools }: BfclCase, writing: Writing): number {
  const replies = writing.oneCall ? calls.map((call) => [call]) : [calls]
  let survivors = 0
  for (const together of replies) {
    const bodies = together.map((call) => bodyOf(writing, call))
    const parsed = parseWith(writing, writing.wrap(together[0]?.name ?? '', bodies), tools)
    const back = parsed.kind === 'calls' ? parsed.calls : []
    survivors += together.filter((call, i) => isSame(back[i], call)).length
  }
  return survivors
}

const isSame = (back: ToolCall | undefined, { name, input }: WrittenCall): boolean =>
  back !== undefined &&
  back.problem === undefined &&
  back.name === name &&
  isDeepStrictEqual(JSON.parse(back.arguments), input)

/** A call on its way as in a run: read by the protocol, then by the schema of its tool. */
function judgeReply(parsed: ParsedReply, meant: WrittenCall, tool: ToolDefinition): Verdict {
  if (parsed.kind !== 'calls') return 'cannot be read'
  const [call, ...others] = parsed.calls
  if (call === undefined || others.length > 0 || (call.problem === undefined && call.name !== meant.name))
    return 'wrong call'
  if (call.problem !== undefined) return 'cannot be read'
  const read = readArguments(call, tool.parameters)
  if (!read.ok) return 'cannot be read'
  if (findProblems(tool.parameters, read.args).length > 0) return 'arguments are wrong'
  return isDeepStrictEqual(read.args, meant.input) ? 'right call' : 'wrong call'
}

/** Ways to spoil a call: its arguments before it is written, or its text. Undefined where a call cannot be spoiled so. */
interface Mutation {
  readonly name: string
  readonly input?: (input: JsonObject, tool: ToolDefinition) => JsonObject | undefined
  readonly body?: (body: object) => object
  readonly stringify?: (value: object) => string
}

export const MUTATIONS: readonly Mutation[] = [
  { name: 'as it is' },
  { name: 'dropped brace', stringify: (value) => JSON.stringify(value).slice(0, -1) },
  { name: 'single quotes', stringify: (value) => withSingleQuotes(JSON.stringify(value)) },
  { name: 'wrong type', input: withWrongType },
  { name: 'extra parameter', input: (input) => ({ ...input, not_a_parameter: 1 }) },
  { name: 'swapped order', input: (input) => swapped(input) as JsonObject, body: (body) => swapped(body) },
]

const withSingleQuotes = (json: string): string =>
  json.replaceAll(
    /"((?:[^"\\]|\\.)*)"/g,
    (_, inner: string) => `'${inner.replaceAll("'", "\\'").replaceAll('\\"', '"')}'`,
  )

const swapped = (value: object): object => Object.fromEntries(Object.entries(value).reverse())

/** The first argument with a type gets a value that no reading makes fit. */
function withWrongType(input: JsonObject, { parameters }: ToolDefinition): JsonObject | undefined {
  const properties = isJsonObject(parameters.properties) ? parameters.properties : {}
  for (const key of Object.keys(input)) {
    const { type } = (properties[key] ?? {}) as JsonObject
    if (type !== undefined) return { ...input, [key]: (type === 'object' ? 'wrong' : { wrong: true }) as Json }
  }
  return undefined
}

/** What became of the calls of one kind in one protocol. */
export type Counts = Record<Verdict, number>

/** Every mutation of every call whose reference answer its own tool accepts, in every writing; by mutation and protocol. */
export async function countMutations(cases: readonly BfclCase[]): Promise<Map<string, Counts>> {
  const table = new Map<string, Counts>()
  for (const { calls = [], tools } of cases)
    for (const call of calls) {
      const tool = tools.find(({ name }) => name === call.name)
      if (tool === undefined || findProblems(tool.parameters, call.input).length > 0) continue
      for (const mutation of MUTATIONS)
        for (const writing of WRITINGS) await countOne({ table, call, tool, mutation, writing })
    }
  return table
}

interface Attempt {
  readonly table: Map<string, Counts>
  readonly call: WrittenCall
  readonly tool: ToolDefinition
  readonly mutation: Mutation
  readonly writing: Writing
}

async function countOne({ table, call, tool, mutation, writing }: Attempt): Promise<void> {
  const input = mutation.input === undefined ? call.input : mutation.input(call.input, tool)
  if (input === undefined) return
  const body = writing.body(call.name, input)
  const stringify = mutation.stringify ?? writing.stringify ?? JSON.stringify
  const text = stringify(mutation.body === undefined ? body : mutation.body(body))
  const verdict = judgeReply(parseWith(writing, writing.wrap(call.name, [text]), [tool]), call, tool)
  const key = `${mutation.name} | ${writing.protocol.name}`
  const counts = table.get(key) ?? { 'right call': 0, 'cannot be read': 0, 'arguments are wrong': 0, 'wrong call': 0 }
  counts[verdict] += 1
  table.set(key, counts)
}

/** As it stands in docs/protocols.md. */
export function renderMutations(table: ReadonlyMap<string, Counts>): string {
  const columns: Verdict[] = ['right call', 'cannot be read', 'arguments are wrong', 'wrong call']
  const rows = [...table].map(([key, counts]) => `| ${key} | ${columns.map((column) => counts[column]).join(' | ')} |`)
  return [
    '| mutation | protocol | right call | answered: cannot be read | answered: arguments are wrong | wrong call |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
