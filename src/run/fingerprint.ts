import type { ToolCall } from '../core/call.ts'
import { describeError } from '../core/error.ts'
import type { JsonObject } from '../core/json.ts'
import type { ToolContext } from '../tools/tool.ts'
import { type Examined, examine, examineEdited, givenArguments, type Refused } from './examine.ts'
import { keptPermit } from './permit.ts'
import type { Run } from './run.ts'
import type { OpenCall } from './state.ts'

export const contextFor = (run: Run, call: ToolCall, signal: AbortSignal): ToolContext => ({
  call: call.id,
  signal,
  client: run.state.started?.client ?? '',
  idempotencyKey: `${run.id}:${call.id}`,
  ...(run.parts.permission === undefined ? {} : { permits: (args) => wouldAllow(run, call, args) }),
})

async function wouldAllow(run: Run, call: ToolCall, args: JsonObject): Promise<boolean> {
  const examined = await examineEdited(run, call, args)
  return examined.ok && examined.decision.decision === 'allow'
}

/** A call as it is run: with what a person has made of its arguments. */
export const examineAsRun = (run: Run, { call, approval }: OpenCall): Promise<Examined | Refused> =>
  approval?.edited === undefined
    ? examine(run, call)
    : examineEdited(run, call, givenArguments(run, call, approval.edited))

/** What the tool of a call finds now at the place that the call may change; undefined where it cannot tell. Never rejects. */
export async function fingerprintOf(run: Run, open: OpenCall, signal: AbortSignal): Promise<string | undefined> {
  const tool = run.parts.tools.get(open.call.name)
  if (tool?.fingerprint === undefined) return undefined
  const decided = keptPermit(run, open.call.id) ?? (await examineAsRun(run, open))
  if (!('input' in decided)) return undefined
  try {
    return await tool.fingerprint(decided.input, contextFor(run, open.call, signal))
  } catch (error) {
    warn(run, open.call, error)
    return undefined
  }
}

/** What a tool could not find out stops nothing: the outcome is then one that nobody knows. */
export function warn({ parts }: Run, { name }: ToolCall, error: unknown): void {
  const why = describeError(error)
  process.emitWarning(`Whether ${name} took effect could not be found out: ${parts.masker?.mask(why) ?? why}`)
}
