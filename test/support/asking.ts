import type { Event, Fact, FactOf } from '../../src/core/event.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { DEFAULT_LIMITS } from '../../src/core/limits.ts'
import type { Outcome } from '../../src/core/outcome.ts'
import type { UserWords } from '../../src/core/words.ts'
import { memoryJournal } from '../../src/journal/memory.ts'
import { memoryStore } from '../../src/journal/memory-store.ts'
import type { Criterion } from '../../src/judge/criterion.ts'
import type { ScriptReply } from '../../src/model/script.ts'
import { type ScriptedModel, scripted } from '../../src/model/scripted.ts'
import { loadPolicy } from '../../src/policy/load.ts'
import { native } from '../../src/protocol/native.ts'
import type { Protocol } from '../../src/protocol/protocol.ts'
import { advance } from '../../src/run/advance.ts'
import { answerApproval } from '../../src/run/answer-approval.ts'
import type { ApprovalAnswer } from '../../src/run/approval.ts'
import { record } from '../../src/run/record.ts'
import type { Approvals, Parts, Run } from '../../src/run/run.ts'
import { startRun } from '../../src/run/start.ts'
import { takeUp } from '../../src/run/take-up.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { tickingClock } from './bench.ts'

export interface AskingOptions {
  readonly script: readonly ScriptReply[]
  readonly tools: readonly Tool[]
  readonly policy: object
  readonly client?: string
  readonly session?: Readonly<Record<string, Json>>
  readonly attached?: readonly UserWords[]
  readonly approvals?: Partial<Approvals>
  readonly clock?: ReturnType<typeof tickingClock>
  readonly protocol?: Protocol
  readonly criteria?: readonly Criterion[]
}

/** A run with a policy, and nobody to ask until a test answers. */
export interface AskingRun {
  readonly run: Run
  readonly model: ScriptedModel
  readonly clock: ReturnType<typeof tickingClock>
  /** Until it ends or rests. */
  go(): Promise<Outcome | undefined>
  answer(call: string, answer: ApprovalAnswer): Promise<void>
  events(): Promise<readonly Event[]>
  all<K extends Fact['kind']>(kind: K): Promise<readonly FactOf<K>[]>
}

export const LIFETIME = 60_000

/** Starts one. */
export async function openAsking(options: AskingOptions): Promise<AskingRun> {
  const parts = partsOf(options)
  const spec = { id: 'run-1', task: 'Do it.', client: options.client ?? 'alice', limits: DEFAULT_LIMITS }
  const asked = { temperature: 0, maxOutputTokens: 800, stream: false, thinking: false }
  const attached = options.attached === undefined ? {} : { attached: options.attached }
  return handle(await startRun({ ...spec, ...asked, ...attached }, parts), parts)
}

/** The run that these events are, as another process takes it up, with what is not as it was. */
export async function takeUpAsking(events: readonly Event[], options: AskingOptions, id = 'run-1'): Promise<AskingRun> {
  const parts = partsOf(options)
  for (const event of events) parts.journal.append({ ...event, run: id })
  return handle(takeUp(id, events, parts), parts)
}

interface AskingParts extends Parts {
  readonly model: ScriptedModel
  readonly clock: ReturnType<typeof tickingClock>
}

function partsOf({ client = 'alice', session = {}, ...options }: AskingOptions): AskingParts {
  return {
    model: scripted(options.script),
    protocol: options.protocol ?? native,
    tools: new Map(options.tools.map((tool) => [tool.definition.name, tool])),
    criteria: options.criteria ?? [],
    permission: { policy: loadPolicy(options.policy), session: { ...session, client } },
    approvals: { key: 'the key', lifetime: LIFETIME, ...options.approvals },
    journal: memoryJournal(),
    store: memoryStore(),
    clock: options.clock ?? tickingClock(),
  }
}

function handle(run: Run, { model, clock, journal }: AskingParts): AskingRun {
  const events = () => journal.read(run.id)
  return {
    run,
    model,
    clock,
    events,
    go: () => advance(run, new AbortController().signal),
    answer: async (call, answer) => record(run, await answerApproval(run, call, { ...answer, from: 'test' })),
    all: async (kind) => (await events()).filter((event) => event.kind === kind) as unknown as FactOf<typeof kind>[],
  }
}

interface AskedTool {
  readonly args: JsonObject
  /** Arguments that it takes, without those that the session sets. */
  readonly example: JsonObject
  readonly more?: JsonObject
}

/** A policy for tools that each ask first. */
export const askingFor = (tools: Readonly<Record<string, AskedTool>>) => ({
  tools: Object.fromEntries(
    Object.entries(tools).map(([name, { args, example, more }]) => {
      const examples = { asks: [{ args: example }], denies: [{ args: { nobody: 1 } }] }
      return [name, { effects: ['write'], floor: 'ask', args, ...examples, ...more }]
    }),
  ),
})
