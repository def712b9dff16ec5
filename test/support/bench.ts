import assert from 'node:assert/strict'
import type { Effect, ToolResult } from '../../src/core/call.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Event, Fact, FactOf } from '../../src/core/event.ts'
import { isJsonObject, type JsonObject } from '../../src/core/json.ts'
import type { FactDeclaration } from '../../src/core/known-fact.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/core/limits.ts'
import type { Outcome } from '../../src/core/outcome.ts'
import type { WireMessage } from '../../src/core/request.ts'
import { memoryJournal } from '../../src/journal/memory.ts'
import { memoryStore } from '../../src/journal/memory-store.ts'
import type { Criterion } from '../../src/judge/criterion.ts'
import { declareFacts } from '../../src/judge/facts.ts'
import type { ScriptCall, ScriptReply } from '../../src/model/script.ts'
import { type ScriptedModel, scripted } from '../../src/model/scripted.ts'
import { native } from '../../src/protocol/native.ts'
import { advance } from '../../src/run/advance.ts'
import { type ReplayOptions, replay } from '../../src/run/replay.ts'
import type { Parts, Run } from '../../src/run/run.ts'
import { type RunSpec, startRun } from '../../src/run/start.ts'
import type { Tool, ToolContext } from '../../src/tools/tool.ts'

export interface BenchOptions extends Partial<Pick<Parts, 'workspace' | 'clock' | 'journal' | 'store' | 'protocol'>> {
  readonly script: readonly ScriptReply[] | ((n: number) => ScriptReply)
  readonly tools?: readonly Tool[]
  readonly criteria?: readonly Criterion[]
  readonly facts?: readonly FactDeclaration[]
  /** What the answer is made from. */
  readonly answer?: string
  readonly limits?: Partial<Limits>
  readonly signal?: AbortSignal
  readonly stream?: boolean
  readonly onEvent?: (event: Event) => void
}

/** What a test reads: the outcome, the events, and what the model was asked. */
export interface Trace {
  readonly outcome: Outcome
  readonly events: readonly Event[]
  readonly model: ScriptedModel
  readonly run: Run
  all<K extends Fact['kind']>(kind: K): readonly FactOf<K>[]
  /** The observations that answered calls, in the order of the last request's history. */
  observations(): readonly string[]
}

/** Runs a script to its end with real parts but for the model, and reads the journal back. */
export async function runScript(options: BenchOptions): Promise<Trace> {
  const { script } = options
  const model = scripted(typeof script === 'function' ? (_, n) => script(n) : script)
  const journal = options.journal ?? memoryJournal()
  const parts: Parts = {
    model,
    protocol: options.protocol ?? native,
    tools: new Map((options.tools ?? []).map((tool) => [tool.definition.name, tool])),
    criteria: options.criteria ?? [],
    ...(options.facts === undefined ? {} : { facts: declareFacts(options.facts) }),
    journal,
    store: options.store ?? memoryStore(),
    clock: options.clock ?? tickingClock(),
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  }
  const spec: RunSpec = {
    id: 'run-1',
    task: 'Do it.',
    client: 'tester',
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    temperature: 0,
    maxOutputTokens: 800,
    stream: options.stream ?? false,
    thinking: false,
    ...(options.answer === undefined ? {} : { answer: options.answer }),
  }
  const run = await startRun(spec, parts)
  const outcome = await advance(run, options.signal ?? new AbortController().signal)
  if (outcome === undefined) throw new Error('The run waits for a person.')
  const events = await journal.read('run-1')
  await expectReplay({ spec, events, parts })
  return { outcome, events, model, run, all: (kind) => factsOf(events, kind), observations: () => toolTexts(run) }
}

/** Every run of a test can be driven again from its journal: the same requests, decisions and end. */
async function expectReplay(options: ReplayOptions): Promise<void> {
  const { difference, events } = await replay(options)
  assert.deepEqual({ difference, events }, { difference: undefined, events: options.events.length })
}

function factsOf<K extends Fact['kind']>(events: readonly Event[], kind: K): readonly FactOf<K>[] {
  return events.filter((event) => event.kind === kind) as unknown as FactOf<K>[]
}

const toolTexts = (run: Run): string[] =>
  run.state.messages.flatMap((message) => (message.role === 'observation' && message.call ? [message.text] : []))

/** A clock that goes on by one millisecond at each look. */
export function tickingClock(start = Date.UTC(2026, 0, 1)): Clock & { skip(ms: number): void } {
  let now = start
  return {
    now: () => now++,
    skip: (ms) => {
      now += ms
    },
  }
}

/** A tool without a schema library: takes any object, answers with what `run` gives. */
export function plainTool(
  name: string,
  effect: Effect,
  run: (
    input: JsonObject,
    context: ToolContext,
  ) => string | Partial<ToolResult> | Promise<string | Partial<ToolResult>>,
): Tool {
  return {
    definition: { name, description: name, parameters: { type: 'object', properties: {} } },
    effects: [effect],
    timeLimit: 60_000,
    validate: async (input) => ({ ok: true, input }),
    execute: async (input, context) => {
      const given = await run(isJsonObject(input) ? input : {}, context)
      return typeof given === 'string' ? { ok: true, text: given } : { ok: true, text: '', ...given }
    },
  }
}

/** A reply that calls one tool. */
export const calling = (name: string, input: JsonObject | string = {}, id?: string): ScriptReply => ({
  calls: [callOf(name, input, id)],
})

export const callOf = (name: string, input: JsonObject | string = {}, id?: string): ScriptCall => ({
  name,
  arguments: input,
  ...(id === undefined ? {} : { id }),
})

export const saying = (text: string): ScriptReply => ({ text })

/** Says what is wrong with the pairing of a history; undefined when every call has its one answer, in order, at once. */
export function pairingFault(messages: readonly WireMessage[]): string | undefined {
  let open: string[] = []
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (open.shift() !== message.call.id) return `message ${at} answers ${message.call.id} out of place`
      continue
    }
    if (open.length > 0) return `message ${at} comes before the answer to ${open[0]}`
    if (message.role === 'assistant') open = message.calls.map((call) => call.id)
  }
  return open.length > 0 ? `no answer to ${open.join(', ')}` : undefined
}
