import { createHash } from 'node:crypto'
import { TaoError } from '../core/error.ts'
import { FORMAT_VERSION, type RunStarted } from '../core/event.ts'
import type { Limits } from '../core/limits.ts'
import type { RequestHead, ToolDefinition } from '../core/request.ts'
import type { Model } from '../model/model.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { systemPrompt } from './prompt.ts'
import { record } from './record.ts'
import type { Parts, Run } from './run.ts'
import { emptyState, type Trouble } from './state.ts'

export interface RunSpec {
  readonly id: string
  readonly task: string
  /** On whose behalf. */
  readonly client: string
  readonly limits: Limits
  /** What the user wants the model told beside the task. */
  readonly instructions?: string
  readonly temperature: number
  readonly maxOutputTokens: number
  readonly stream: boolean
  readonly thinking: boolean
  /** What the run would need and does not have, found before it starts: it is recorded, and nothing is executed. */
  readonly blocked?: Trouble
}

/** Records the start of a run. Nothing is asked and nothing runs before `advance`. */
export async function startRun(spec: RunSpec, parts: Parts): Promise<Run> {
  expectPrice(spec.limits, parts.model)
  const definitions = [...parts.tools.values()].map((tool) => tool.definition)
  const head = requestHead(spec, parts.protocol, definitions)
  const body = parts.model.openBody(head)
  const run: Run = { id: spec.id, state: emptyState(), parts, definitions, head, body, sent: [] }
  await record(run, started(spec, run))
  if (spec.blocked !== undefined) await record(run, { kind: 'run.blocked', ...spec.blocked })
  return run
}

function requestHead(spec: RunSpec, protocol: Protocol, definitions: readonly ToolDefinition[]): RequestHead {
  const { temperature, maxOutputTokens, stream, thinking } = spec
  return {
    tools: protocol.nativeTools(definitions),
    stop: protocol.stop,
    temperature,
    maxOutputTokens,
    stream,
    thinking,
  }
}

function started(spec: RunSpec, { parts, definitions, head }: Run): RunStarted {
  const instructions = parts.protocol.instructions(definitions)
  const { workspace, sandbox } = parts
  return {
    kind: 'run.started',
    formatVersion: FORMAT_VERSION,
    task: spec.task,
    client: spec.client,
    model: parts.model.name,
    protocol: parts.protocol.name,
    limits: spec.limits,
    system: systemPrompt({ instructions: [instructions, spec.instructions ?? ''], parts }),
    head,
    toolsHash: createHash('sha256').update(JSON.stringify(definitions)).digest('hex'),
    criteria: parts.criteria.map(({ name }) => name),
    words: [{ kind: 'typed', text: spec.task }],
    ...(workspace === undefined ? {} : { workspace: workspace.record }),
    ...(sandbox === undefined ? {} : { sandbox: sandbox.name }),
    ...(sandbox === undefined || sandbox.network.length === 0 ? {} : { network: sandbox.network }),
  }
}

/** A bound on what is not known would never fire. Throws a `TaoError`; to be asked before anything is made for a run. */
export function expectPrice({ cost }: Partial<Limits>, { name, price }: Model): void {
  if (cost === undefined || price !== undefined) return
  throw new TaoError('price', `A cost limit was set, but the price of ${name} is not known.`, {
    fix: 'Use a token limit instead, or a model whose price is known.',
  })
}
