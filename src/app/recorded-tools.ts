import { canonicalJson } from '../core/canonical.ts'
import type { CallFinished, Event } from '../core/event.ts'
import { type Json, jsonObjectIn } from '../core/json.ts'
import type { Tool } from '../tools/tool.ts'

/** A call for which the record has no result, and what the record has instead. */
export interface MissedCall {
  readonly name: string
  readonly input: string
  /** The results of this tool that were not used, with what they were for. */
  readonly unused: readonly string[]
}

/**
 * Tools that answer what is on record: each result once, for the same tool with the same arguments, in the order it was recorded.
 * A call without one fails, is told to `onMiss`, and never reaches the real tool.
 */
export async function recordedTools(
  tools: ReadonlyMap<string, Tool>,
  events: readonly Event[],
  onMiss: (missed: MissedCall) => void,
): Promise<ReadonlyMap<string, Tool>> {
  const results = await resultsIn(tools, events)
  const answering = (name: string, tool: Tool): Tool => ({
    ...tool,
    async execute(given) {
      const input = textOf(given)
      const own = results.get(name) ?? []
      const at = own.findIndex((each) => each.input === input)
      const [found] = at === -1 ? [] : own.splice(at, 1)
      if (found !== undefined) return found.result
      onMiss({ name, input, unused: own.map((each) => each.input) })
      return { ok: false, text: 'No result of this call is on record.' }
    },
  })
  return new Map([...tools].map(([name, tool]) => [name, answering(name, tool)]))
}

interface RecordedResult {
  readonly input: string
  readonly result: { readonly ok: boolean; readonly text: string; readonly exit?: number }
}

async function resultsIn(
  tools: ReadonlyMap<string, Tool>,
  events: readonly Event[],
): Promise<Map<string, RecordedResult[]>> {
  const asked = new Map<string, string>()
  const results = new Map<string, RecordedResult[]>()
  for (const event of events) {
    if (event.kind === 'model.replied') for (const call of event.calls) asked.set(call.id, call.arguments)
    if (event.kind !== 'call.finished') continue
    const input = await inputOf(tools.get(event.name), asked.get(event.call) ?? '')
    const own = results.get(event.name) ?? []
    own.push({ input, result: resultOf(event) })
    results.set(event.name, own)
  }
  return results
}

/** As the tool is given it: defaults filled in, and so the same however it was written. */
async function inputOf(tool: Tool | undefined, args: string): Promise<string> {
  const written = jsonObjectIn(args.trim() === '' ? '{}' : args)
  if (written === undefined) return args
  const checked = await tool?.validate(written)
  return textOf(checked?.ok === true ? checked.input : written)
}

const textOf = (input: unknown): string => canonicalJson(JSON.parse(JSON.stringify(input)) as Json)

const resultOf = ({ ok, observation, exit }: CallFinished): RecordedResult['result'] => ({
  ok,
  text: observation,
  ...(exit === undefined ? {} : { exit }),
})
