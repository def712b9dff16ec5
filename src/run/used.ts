import type { ToolCall } from '../core/call.ts'
import type { Event } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import { moneyIn, type Used } from '../policy/refuse.ts'
import type { ToolPolicy } from '../policy/schema.ts'
import { readArguments } from './arguments.ts'
import { openParameters, ruleOf } from './rule.ts'
import type { Run } from './run.ts'

/** A call, and what a person made of its arguments. */
interface CountedCall {
  readonly call: ToolCall
  readonly edited?: JsonObject
}

const DAY = 24 * 60 * 60_000

/**
 * What a tool has used up of its limits beside the call that is decided on: calls in this run, money today (UTC). What is cleared,
 * waits or failed counts as if it were done. Undefined where that is not known.
 */
export async function usedBy(run: Run, tool: string, beside: string): Promise<Used | undefined> {
  const { state, parts } = run
  const rule = ruleOf(run, tool)
  if (rule?.limits === undefined) return { calls: 0, money: 0 }
  const open = state.calls.filter(({ stage }) => stage !== 'asked' && stage !== 'answered').map(countable)
  const counted = [...state.ended, ...open].filter(({ call }) => call.name === tool && call.id !== beside)
  const calls = counted.length
  if (rule.limits.perDay === undefined) return { calls, money: 0 }
  const since = Math.floor(parts.clock.now() / DAY) * DAY
  const earlier = await parts.permission?.otherRuns?.(since)
  if (earlier === undefined) return undefined
  const before = earlier.flatMap((events) => startedCalls(events, tool, since))
  return { calls, money: sum([...counted, ...before].map((each) => moneyOf(run, rule, each))) }
}

const countable = ({ call, approval }: Run['state']['calls'][number]): CountedCall => withEdit(call, approval?.edited)

const withEdit = (call: ToolCall, edited: JsonObject | undefined): CountedCall =>
  edited === undefined ? { call } : { call, edited }

/** The calls of another run that started since then, and were not refused. One that failed may have moved money all the same. */
function startedCalls(events: readonly Event[], tool: string, since: number): CountedCall[] {
  const asked = new Map<string, ToolCall>()
  const edited = new Map<string, JsonObject>()
  const started = new Set<string>()
  for (const event of events) {
    if (event.kind === 'model.replied') for (const call of event.calls) asked.set(call.id, call)
    else if (event.kind === 'approval.given' && event.edited !== undefined) edited.set(event.call, event.edited)
    else if (event.kind === 'call.started' && event.name === tool && Date.parse(event.at) >= since)
      started.add(event.call)
    else if (event.kind === 'call.refused') started.delete(event.call)
  }
  return [...started].flatMap((id) => {
    const call = asked.get(id)
    return call === undefined ? [] : [withEdit(call, edited.get(id))]
  })
}

/** Read as it is when the call is decided on: an amount in quotes is an amount too. */
function moneyOf({ parts }: Run, rule: ToolPolicy, { call, edited }: CountedCall): number {
  if (edited !== undefined) return moneyIn(rule.args, edited)
  const tool = parts.tools.get(call.name)
  const read = readArguments(call, tool === undefined ? {} : openParameters(tool.definition, rule))
  return read.ok ? moneyIn(rule.args, read.args) : 0
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, each) => total + each, 0)
