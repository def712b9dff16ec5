import { FORMAT_VERSION, type RunStarted } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import type { Limits } from '../core/limits.ts'
import type { UserWords } from '../core/words.ts'
import { expectPrice } from '../model/price.ts'
import { openConversation, policyHashOf, requestHead, shownTools, toolsHashOf } from './conversation.ts'
import { marksOfWords } from './marks.ts'
import { systemPrompt } from './prompt.ts'
import { record } from './record.ts'
import type { Parts, Run } from './run.ts'
import { emptyState, type Trouble } from './state.ts'

export interface RunSpec {
  readonly id: string
  readonly task: string
  /** What the user gave beside the task without having typed it. */
  readonly attached?: readonly UserWords[]
  /** What a command was asked, so that the run can be taken up by another one. */
  readonly request?: JsonObject
  /** On whose behalf. */
  readonly client: string
  readonly limits: Limits
  /** What the user wants the model told beside the task. */
  readonly instructions?: string
  /** What the answer is made from: a text with `{{fact}}` in it. */
  readonly answer?: string
  /** What the model must not do, in sentences. */
  readonly outOfScope?: readonly string[]
  /** A run that does not finish its task ends as blocked, with a note for the person who takes over. */
  readonly handOver?: boolean
  /** The user's own template of the system message; see `run/prompt.ts`. */
  readonly prompt?: string
  readonly temperature: number
  readonly topP?: number
  readonly presencePenalty?: number
  readonly maxOutputTokens: number
  readonly stream: boolean
  readonly thinking: boolean
  /** What the run would need and does not have, found before it starts: it is recorded, and nothing is executed. */
  readonly blocked?: Trouble
}

/** Records the start of a run. Nothing is asked and nothing runs before `advance`. */
export async function startRun(spec: RunSpec, parts: Parts): Promise<Run> {
  expectPrice(spec.limits, parts.model)
  const started = describeStart(spec, parts)
  const run: Run = { id: spec.id, state: emptyState(), parts, ...openConversation(started.head, [], parts) }
  await record(run, started)
  for (const mark of marksOfWords(run, spec.attached ?? [])) await record(run, mark)
  if (spec.blocked !== undefined) await record(run, { kind: 'run.blocked', ...spec.blocked })
  return run
}

/** The first event of a run, as it would be written now. */
export function describeStart(spec: RunSpec, parts: Parts): RunStarted {
  const { workspace, sandbox, protocol } = parts
  return {
    kind: 'run.started',
    formatVersion: FORMAT_VERSION,
    task: spec.task,
    client: spec.client,
    model: parts.model.name,
    protocol: protocol.name,
    language: protocol.prompts.language,
    ...(protocol.layout === undefined ? {} : { compat: protocol.layout.name }),
    limits: spec.limits,
    system: systemOf(spec, parts),
    head: requestHead(spec, parts),
    toolsHash: toolsHashOf(parts),
    ...policyIn(parts),
    ...contractOf(spec, parts),
    words: [{ kind: 'typed', text: spec.task }, ...(spec.attached ?? [])],
    ...(spec.request === undefined ? {} : { request: spec.request }),
    ...(workspace === undefined ? {} : { workspace: workspace.record }),
    ...(sandbox === undefined ? {} : { sandbox: sandbox.name }),
    ...(parts.worker === undefined ? {} : { worker: parts.worker }),
    ...(sandbox === undefined || sandbox.network.length === 0 ? {} : { network: sandbox.network }),
  }
}

/** What must hold at the end, and what else the user laid down. */
function contractOf({ answer, outOfScope = [], handOver }: RunSpec, { criteria, facts }: Parts) {
  return {
    criteria: criteria.map(({ name }) => name),
    ...(criteria.some(({ early }) => early) ? { checksFirst: true } : {}),
    ...(criteria.length === 0 ? {} : { checksLast: true }),
    ...(facts === undefined ? {} : { facts: facts.declarations }),
    ...(answer === undefined ? {} : { answer }),
    ...(outOfScope.length === 0 ? {} : { outOfScope }),
    ...(handOver === true ? { handOver } : {}),
  }
}

function policyIn(parts: Parts): { readonly policyHash?: string } {
  const policyHash = policyHashOf(parts)
  return policyHash === undefined ? {} : { policyHash }
}

/** What the user adds to the system message, or puts in its place. */
export type SystemSpec = Pick<RunSpec, 'instructions' | 'prompt'>

export function systemOf({ instructions, prompt }: SystemSpec, parts: Parts): string {
  const { protocol, workspace, sandbox, criteria, clock } = parts
  return systemPrompt({
    protocol,
    tools: shownTools(parts),
    criteria: criteria.map(({ name }) => name),
    now: clock.now(),
    ...(workspace === undefined ? {} : { files: workspace.record }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(prompt === undefined ? {} : { template: prompt }),
  })
}
