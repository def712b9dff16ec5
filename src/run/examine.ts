import type { Effect, ToolCall } from '../core/call.ts'
import type { RefusalCause } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import { didYouMean } from '../core/nearest.ts'
import { ownArguments, withBound } from '../policy/bound.ts'
import type { Decision } from '../policy/decide.ts'
import type { Tool } from '../tools/tool.ts'
import { readArguments } from './arguments.ts'
import { openParameters, ruleOf } from './rule.ts'
import type { Run } from './run.ts'

/** A call that can be read: the tool, what it would be given, and what is decided about it. */
export interface Examined {
  readonly ok: true
  readonly call: ToolCall
  readonly tool: Tool
  /** Those that the session sets included. */
  readonly args: JsonObject
  /** What the tool made of them. */
  readonly input: unknown
  readonly notes: readonly string[]
  readonly decision: Decision
}

export interface Refused {
  readonly ok: false
  readonly cause: RefusalCause
  /** Sentences for a person. */
  readonly problem: string
  /** What the model is told. */
  readonly observation: string
}

/** Looks at a call without doing anything: what it is, whether it fits, and whether it may run. */
export async function examine(run: Run, call: ToolCall): Promise<Examined | Refused> {
  const { tools, permission } = run.parts
  if (call.problem !== undefined) return refused('invalid-arguments', call.problem)
  const tool = tools.get(call.name)
  if (tool === undefined) return unknownTool(run, call)
  const ruled = ruleOf(run, call.name)
  const read = readArguments(call, openParameters(tool.definition, ruled))
  if (!read.ok) return refused('invalid-arguments', read.problem)
  const args = ruled === undefined ? read.args : withBound(read.args, ruled, permission?.session ?? {})
  return weigh(run, { call, tool, given: read.args, args, notes: read.notes })
}

/** The same call with other arguments, without those that the session sets: decided on like any other. */
export async function examineEdited(run: Run, call: ToolCall, edited: JsonObject): Promise<Examined | Refused> {
  const tool = run.parts.tools.get(call.name)
  if (tool === undefined) return unknownTool(run, call)
  const ruled = ruleOf(run, call.name)
  const args = ruled === undefined ? edited : withBound(edited, ruled, run.parts.permission?.session ?? {})
  return weigh(run, { call, tool, given: edited, args, notes: [] })
}

/** The arguments that are on record of a call, without those that the session sets. */
export function givenArguments(run: Run, { name }: ToolCall, args: JsonObject): JsonObject {
  const ruled = ruleOf(run, name)
  return ruled === undefined ? args : ownArguments(args, ruled)
}

function unknownTool({ parts }: Run, { name }: ToolCall): Refused {
  const problem = `There is no tool "${name.slice(0, 100)}". ${didYouMean(name, [...parts.tools.keys()])}`
  return { ok: false, cause: 'unknown-tool', problem, observation: `${problem} Nothing was run.` }
}

interface Readable {
  readonly call: ToolCall
  readonly tool: Tool
  /** As the model gave them. */
  readonly given: JsonObject
  readonly args: JsonObject
  readonly notes: readonly string[]
}

/** What is wrong with the arguments is the model's to mend; everything else that is denied counts as a refusal. */
const MENDABLE: ReadonlySet<Decision['cause']> = new Set(['unknown-argument', 'missing-argument', 'outside-type'])

async function weigh(run: Run, { given, ...readable }: Readable): Promise<Examined | Refused> {
  const { call, tool, args } = readable
  const decision = await decideOn(run, tool, { call: call.id, args: given })
  const isDenied = decision.decision === 'deny'
  if (isDenied && !MENDABLE.has(decision.cause)) return refused('not-permitted', decision.reason)
  // The tool's own schema would name what the session sets, which the model is not told of.
  if (decision.cause === 'unknown-argument') return refused('invalid-arguments', decision.reason)
  const validation = await tool.validate(args)
  if (!validation.ok)
    return refused('invalid-arguments', `the arguments of ${call.name} are wrong. ${validation.problems.join(' ')}`)
  if (isDenied) return refused('invalid-arguments', decision.reason)
  return { ok: true, ...readable, input: validation.input, decision }
}

const refused = (cause: RefusalCause, problem: string): Refused => ({
  ...{ ok: false, cause, problem },
  observation: `Not run: ${problem}`,
})

/** What a run without a policy decides: its tools do what their author lets them do. */
const free = (effects: readonly Effect[]): Decision => ({
  decision: 'allow',
  cause: 'permitted',
  reason: 'The run has no policy.',
  effects,
  origins: [],
})

interface Wanted {
  /** Its id: what a call uses up is not counted against itself. */
  readonly call: string
  /** As a model or a person gave them. */
  readonly args: JsonObject
}

/** Decides on a call, which may have been decided on before. A run without a policy never loads what reads one. */
async function decideOn(run: Run, tool: Tool, { call, args }: Wanted): Promise<Decision> {
  const { permission, approvals } = run.parts
  const { marks, words, ended } = run.state
  if (permission === undefined) return free(tool.effects)
  const { policy, session, known } = permission
  const { name } = tool.definition
  const { decide } = await import('../policy/decide.ts')
  const { usedBy } = await import('./used.ts')
  const used = await usedBy(run, name, call)
  return decide(
    policy,
    { tool: name, args, effects: tool.effects },
    {
      marks,
      words,
      session,
      ...(known === undefined ? {} : { known }),
      ...(used === undefined ? {} : { used }),
      results: () => ended.map(({ observation }, at) => ({ number: at + 1, text: observation })),
      canAsk: approvals !== undefined,
    },
  )
}
