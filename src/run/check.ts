import type { CallParked } from '../core/approval.ts'
import type { ToolCall } from '../core/call.ts'
import type { CallRefused, Fact } from '../core/event.ts'
import { refusal } from './answers.ts'
import { type Card, digestOf } from './approval.ts'
import { type Examined, examine } from './examine.ts'
import { keepPermit, Permit } from './permit.ts'
import { ruleOf } from './rule.ts'
import type { Run } from './run.ts'
import type { OpenCall } from './state.ts'

/** Decides on each call before anything runs. A refusal is an answer to the call, so the model can go on from it. */
export async function* check(run: Run, calls: readonly OpenCall[]): AsyncGenerator<Fact> {
  for (const { call } of calls) yield refuseUnread(run, call) ?? (await decideOnCall(run, call))
}

/** What is refused whatever the call says. */
function refuseUnread({ state }: Run, call: ToolCall): CallRefused | undefined {
  const bound = state.started?.limits.toolCalls ?? 0
  if (call.repeatOf !== undefined) {
    const observation = `This repeats call ${call.repeatOf} of the same reply to the letter. It was run once, not twice.`
    return refusal(call, 'repeated', observation)
  }
  if (state.counts.toolCalls < bound) return undefined
  return refusal(call, 'limit', `Not run: the limit of ${bound} tool calls is used up.`)
}

async function decideOnCall(run: Run, call: ToolCall): Promise<Fact> {
  const examined = await examine(run, call)
  if (!examined.ok) return refusal(call, examined.cause, examined.observation)
  const { notes, decision } = examined
  const permit = Permit.byDecision(examined)
  if (permit === undefined) return park(run, examined)
  // Where other runs use up the same limit, what is left is looked at once more, when the intent is on record.
  if (ruleOf(run, call.name)?.limits?.perDay === undefined) keepPermit(run, permit)
  const coerced = notes.length === 0 ? {} : { coerced: notes }
  return { kind: 'call.cleared', call: call.id, name: call.name, effects: decision.effects, ...coerced }
}

const OUTCOME_UNKNOWN = 'Tao was ended while this call ran. Whether it took effect is not known.'

/** Asks a person. What the answer is bound to is fixed here. */
export function park(run: Run, { call, tool, args, decision }: Examined, unknown?: true): CallParked {
  const { state, parts } = run
  const card: Card = {
    call: call.id,
    name: call.name,
    description: tool.definition.description,
    reason: unknown ? OUTCOME_UNKNOWN : decision.reason,
    effects: decision.effects,
    arguments: args,
    origins: decision.origins,
    marks: [...state.marks],
    expiresAt: new Date(parts.clock.now() + (parts.approvals?.lifetime ?? 0)).toISOString(),
    ...(unknown === undefined ? {} : { outcomeUnknown: unknown }),
  }
  const place = { client: state.started?.client ?? '', run: run.id, seq: state.seq }
  return { kind: 'call.parked', ...card, digest: digestOf({ ...place, tool: tool.definition, card }) }
}
