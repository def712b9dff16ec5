import type { ToolCall } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { JsonObject } from '../core/json.ts'
import type { Tool } from '../tools/tool.ts'
import { type Binding, digestOf, hasSeal } from './approval.ts'
import { type Examined, examine, examineEdited, givenArguments } from './examine.ts'
import type { Run } from './run.ts'
import type { OpenCall } from './state.ts'

/** The right to run one call with exactly this input. Nothing else can be executed. */
export class Permit {
  readonly call: ToolCall
  readonly tool: Tool
  readonly input: unknown

  private constructor({ call, tool, input }: Examined) {
    this.call = call
    this.tool = tool
    this.input = input
  }

  /** For a call that may run without asking; undefined for every other. */
  static byDecision(examined: Examined): Permit | undefined {
    return examined.decision.decision === 'allow' ? new Permit(examined) : undefined
  }

  /**
   * For a call that the journal says is cleared: by a decision, which is not made again, or by an approval, which must be of
   * exactly this call. Resolves to a sentence where there is no such right.
   */
  static async onRecord(run: Run, open: OpenCall): Promise<Permit | string> {
    const examined = await examine(run, open.call)
    if (!examined.ok) return examined.observation
    if (open.parked === undefined) return new Permit(examined)
    const problem = findApprovalProblem(run, open, examined)
    if (problem !== undefined) return `Not run: ${problem}`
    const changed = changedArguments(open)
    if (changed === undefined) return new Permit(examined)
    const edited = await examineEdited(run, open.call, givenArguments(run, open.call, changed))
    if (!edited.ok) return edited.observation
    const isSame = canonicalJson(edited.args) === canonicalJson(changed)
    return isSame ? new Permit(edited) : 'Not run: what the session sets is not what was approved.'
  }
}

type Parked = NonNullable<OpenCall['parked']>

/** What was decided in this process, by call. What was decided before is read from the record. */
const kept = new WeakMap<Run, Map<string, Permit>>()

export function keepPermit(run: Run, permit: Permit): void {
  const permits = kept.get(run) ?? new Map<string, Permit>()
  kept.set(run, permits.set(permit.call.id, permit))
}

/** The one that a call will be run with, where it was decided in this process. */
export const keptPermit = (run: Run, call: string): Permit | undefined => kept.get(run)?.get(call)

/** A permit is used once. */
export function takePermit(run: Run, call: string): Permit | undefined {
  const permit = keptPermit(run, call)
  kept.get(run)?.delete(call)
  return permit
}

/** What a person made of the arguments; where the call was run so and is asked about again, that is what it asks about. */
const changedArguments = ({ parked, approval }: OpenCall): JsonObject | undefined =>
  approval?.edited ?? (parked?.outcomeUnknown === true ? parked.arguments : undefined)

/** Why what is on record is no approval of this call. */
function findApprovalProblem(run: Run, open: OpenCall, { args, tool }: Examined): string | undefined {
  const { parked, approval } = open
  const key = run.parts.approvals?.key
  if (parked === undefined || approval === undefined) return 'nobody approved it.'
  if (key === undefined) return 'this run has no key to check approvals with.'
  const isAsked =
    parked.outcomeUnknown === true ||
    canonicalJson(run.parts.masker?.mask(args) ?? args) === canonicalJson(parked.arguments)
  if (!isAsked) return 'its arguments are not those that were approved.'
  const digest = digestOf(bindingOf(run, parked, tool))
  if (digest !== parked.digest || digest !== approval.digest || !hasSeal(approval, key))
    return 'the approval on record is not of this call.'
  return hasLapsed(run, open) ? 'the approval has expired.' : undefined
}

/** True of an approval that came too late, and of one that was not used in time. */
export function hasLapsed(run: Run, { parked, approval }: OpenCall): boolean {
  if (parked === undefined || approval === undefined) return false
  return approval.at > parked.expiresAt || run.parts.clock.now() > Date.parse(parked.expiresAt)
}

/** What the approval of a call is bound to, as things are now. */
function bindingOf(
  run: Run,
  { seq, at: _at, run: _run, kind: _kind, digest: _digest, ...card }: Parked,
  tool: Tool,
): Binding {
  return { client: run.state.started?.client ?? '', run: run.id, seq, tool: tool.definition, card }
}
