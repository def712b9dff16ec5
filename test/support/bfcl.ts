import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts'
import type { ToolDefinition } from '../../src/core/request.ts'

/** One case of the Berkeley Function Calling Leaderboard: a question, the tools it may need, and the calls that answer it. */
export interface BfclCase {
  readonly id: string
  readonly part: string
  readonly question: string
  readonly tools: readonly ToolDefinition[]
  /** The first accepted answer of each call; undefined where the case has none. */
  readonly calls: readonly WrittenCall[] | undefined
}

/** A call as it is meant. */
export interface WrittenCall {
  readonly name: string
  readonly input: JsonObject
}

interface BfclLine {
  readonly id: string
  readonly part: string
  readonly question: readonly (readonly { readonly content: string }[])[]
  readonly function: readonly ToolDefinition[]
  readonly ground_truth?: readonly JsonObject[]
}

/** The sample beside the tests. */
export const readBfclSample = (): BfclCase[] =>
  linesOf<BfclLine>(join(import.meta.dirname, '../data/bfcl/cases.jsonl')).map(toCase)

/** All cases of a folder as the leaderboard publishes it: `BFCL_v4_PART.json`, with `possible_answer/` beside them. */
export function readBfclFolder(folder: string): BfclCase[] {
  return globSync('BFCL_v4_*.json', { cwd: folder })
    .sort()
    .flatMap((file) => {
      const answers = join(folder, 'possible_answer', file)
      const truths = new Map(existsSync(answers) ? linesOf<BfclLine>(answers).map((line) => [line.id, line]) : [])
      const part = basename(file, '.json').replace('BFCL_v4_', '')
      return linesOf<BfclLine>(join(folder, file)).map((line) => toCase({ ...truths.get(line.id), ...line, part }))
    })
}

const linesOf = <Line>(path: string): Line[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line)

function toCase({ id, part, question, function: tools, ground_truth: truth }: BfclLine): BfclCase {
  return {
    id,
    part,
    question: question
      .flat()
      .map(({ content }) => content)
      .join('\n'),
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters: toSchema(parameters) })),
    calls: truth
      ?.flatMap((call) => Object.entries(call))
      .map(([name, accepted]) => ({ name, input: choose(accepted) })),
  }
}

/** An answer lists what it accepts for each argument, `""` for "may be left out"; objects in it list so again. */
function choose(accepted: Json | undefined): JsonObject {
  const chosen = Object.entries(isJsonObject(accepted) ? accepted : {}).flatMap(([key, values]): [string, Json][] => {
    const [first] = Array.isArray(values) ? values.filter((value) => value !== '') : [values as Json]
    return first === undefined ? [] : [[key, chooseInside(first)]]
  })
  return Object.fromEntries(chosen)
}

function chooseInside(value: Json): Json {
  if (Array.isArray(value)) return value.map(chooseInside)
  return isJsonObject(value) ? choose(value) : value
}

/** What the leaderboard calls types, of Python, Java and JavaScript, as JSON Schema calls them; `any` says nothing. */
const TYPES: Readonly<Record<string, string | undefined>> = {
  ...{ dict: 'object', hashmap: 'object', tuple: 'array', arraylist: 'array', any: undefined, '': undefined },
  ...{ float: 'number', double: 'number', long: 'integer', char: 'string' },
}

/** The schema of a tool in JSON Schema. Arguments it does not name are not allowed. */
function toSchema(given: JsonObject): JsonObject {
  return { ...(toStandard(given) as JsonObject), additionalProperties: false }
}

function toStandard(given: Json): Json {
  if (!isJsonObject(given)) return given
  const { type, properties, items, ...rest } = given
  const name = typeof type === 'string' ? type.toLowerCase() : undefined
  const standard = name !== undefined && Object.hasOwn(TYPES, name) ? TYPES[name] : name
  return {
    ...rest,
    ...(standard === undefined ? {} : { type: standard }),
    ...(items === undefined ? {} : { items: toStandard(items) }),
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, toStandard(each)])) }
      : {}),
  }
}
