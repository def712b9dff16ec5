import type { JsonObject } from '../core/json.ts'
import { didYouMean } from '../core/nearest.ts'
import { describeType } from './describe.ts'
import { fits, type Session } from './fit.ts'
import type { OpenArgument, ToolPolicy } from './schema.ts'

/** Calls of the tool in this run; what it moved today, in minor units, for this client. */
export interface Used {
  readonly calls: number
  readonly money: number
}

/** Why a call is denied whatever the run has read. */
export interface Denial {
  readonly cause:
    | 'unknown-tool'
    | 'unknown-argument'
    | 'bound-argument'
    | 'missing-argument'
    | 'outside-type'
    | 'session-incomplete'
    | 'limit'
  readonly reason: string
}

interface Asked {
  readonly session: Session
  readonly used?: Used
}

/** The first thing that is wrong with the call itself, or nothing. */
export function findDenial(tool: ToolPolicy, args: JsonObject, { session, used }: Asked): Denial | undefined {
  for (const name of Object.keys(args)) {
    const denial = findNameDenial(tool, name)
    if (denial !== undefined) return denial
  }
  for (const [name, spec] of Object.entries(tool.args)) {
    const denial =
      'bind' in spec ? findBindDenial(name, spec.bind, session) : findValueDenial(name, spec, { args, session })
    if (denial !== undefined) return denial
  }
  return findLimitDenial(tool, args, used)
}

function findNameDenial(tool: ToolPolicy, name: string): Denial | undefined {
  const spec = Object.hasOwn(tool.args, name) ? tool.args[name] : undefined
  if (spec === undefined) {
    const open = Object.entries(tool.args).flatMap(([each, rule]) => ('bind' in rule ? [] : [each]))
    const reason = `The policy has no argument "${name.slice(0, 100)}" for this tool. ${didYouMean(name, open)}`
    return { cause: 'unknown-argument', reason }
  }
  if ('bind' in spec) return { cause: 'bound-argument', reason: `"${name}" is set by the session, never by a call.` }
  return undefined
}

function findBindDenial(name: string, bind: string, session: Session): Denial | undefined {
  if (Object.hasOwn(session, bind)) return undefined
  return { cause: 'session-incomplete', reason: `"${name}" comes from the session, and the session has no ${bind}.` }
}

function findValueDenial(
  name: string,
  spec: OpenArgument,
  { args, session }: { readonly args: JsonObject; readonly session: Session },
): Denial | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined
  if (value === undefined)
    return spec.optional ? undefined : { cause: 'missing-argument', reason: `"${name}" is missing.` }
  if (fits(spec.type, value, session)) return undefined
  return { cause: 'outside-type', reason: `"${name}" must be ${describeType(spec.type)}.` }
}

function findLimitDenial(
  { limits, args: specs }: ToolPolicy,
  args: JsonObject,
  used: Used | undefined,
): Denial | undefined {
  if (limits === undefined) return undefined
  if (used === undefined) return { cause: 'limit', reason: 'This tool has limits, and what it has used is not known.' }
  const { perRun, perDay } = limits
  if (perRun !== undefined && used.calls >= perRun)
    return { cause: 'limit', reason: `The policy allows ${perRun} calls of this tool in a run.` }
  if (perDay === undefined || used.money + moneyIn(specs, args) <= perDay) return undefined
  return { cause: 'limit', reason: `The policy allows ${perDay} a day, in minor units; ${used.money} are used.` }
}

/** What a call moves, in minor units. */
export function moneyIn(specs: ToolPolicy['args'], args: JsonObject): number {
  const amounts = Object.entries(specs).map(([name, spec]) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    return !('bind' in spec) && 'money' in spec.type && typeof value === 'number' ? value : 0
  })
  return amounts.reduce((sum, amount) => sum + amount, 0)
}
