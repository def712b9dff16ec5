import type { Effect } from '../core/call.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Mark } from '../core/mark.ts'
import type { UserWords } from '../core/words.ts'
import type { Session } from './fit.ts'
import { type Anchoring, neededAnchoring } from './flow.ts'
import { type ArgumentOrigin, type ShownResult, type Sources, type Traced, traceCall } from './origin.ts'
import { type Denial, findDenial, type Used } from './refuse.ts'
import type { Policy, ToolPolicy } from './schema.ts'
import { typedWords } from './words.ts'

/** What the model asks for. */
export interface ProposedCall {
  readonly tool: string
  readonly args: JsonObject
  /** What the tool says of itself. It may add to what the policy says, never take away. */
  readonly effects?: readonly Effect[]
}

/** What the run has read, who speaks, and who could be asked. None of it comes from the model. */
export interface Situation {
  readonly marks: readonly Mark[]
  readonly words: readonly UserWords[]
  readonly session: Session
  /** Lists of the session that a policy names with `known: NAME`. */
  readonly known?: Readonly<Record<string, readonly Json[]>>
  /** What this tool has used up so far. A tool with limits is denied where this is not known. */
  readonly used?: Used
  /** What the model has been shown, so that a person can be told where a value came from; only wanted for a call that asks. */
  readonly results?: () => readonly ShownResult[]
  /** False: nobody can be asked, and what would ask is denied. */
  readonly canAsk: boolean
}

export interface Decision {
  readonly decision: 'allow' | 'ask' | 'deny'
  readonly cause: 'permitted' | 'not-anchored' | 'floor' | 'nobody-to-ask' | Denial['cause']
  /** One sentence. */
  readonly reason: string
  readonly effects: readonly Effect[]
  /**
   * Every value of the call with where it came from, bound ones included; empty where the call is not understood. Results are
   * searched for a call that asks.
   */
  readonly origins: readonly ArgumentOrigin[]
}

/** Decides on one call, by this policy alone. Strictest wins; what is unknown is denied. */
export function decide(policy: Policy, call: ProposedCall, situation: Situation): Decision {
  const tool = Object.hasOwn(policy.tools, call.tool) ? policy.tools[call.tool] : undefined
  if (tool === undefined) {
    const reason = `The policy has no tool "${call.tool.slice(0, 100)}".`
    return { decision: 'deny', cause: 'unknown-tool', reason, effects: [], origins: [] }
  }
  const effects = effectsOf(tool, call)
  const denial = findDenial(tool, call.args, situation)
  if (denial !== undefined) return { decision: 'deny', ...denial, effects, origins: [] }
  const trace = (results: readonly ShownResult[]) => traceCall(tool, call.args, sourcesOf(situation, results))
  const weigh = (traced: readonly Traced[]) => ({
    ...judgeFlow(tool, traced, { effects, marks: situation.marks }),
    effects,
    origins: traced.map(({ row }) => row),
  })
  const first = weigh(trace([]))
  if (first.decision !== 'ask') return first
  const asked = weigh(trace(situation.results?.() ?? []))
  if (situation.canAsk) return asked
  return { ...asked, decision: 'deny', cause: 'nobody-to-ask', reason: `${asked.reason} Nobody can be asked.` }
}

const sourcesOf = ({ words, known = {}, session }: Situation, results: readonly ShownResult[]): Sources => ({
  words: typedWords(words),
  known,
  results,
  session,
})

type Verdict = Pick<Decision, 'decision' | 'cause' | 'reason'>

interface Flow {
  readonly effects: readonly Effect[]
  readonly marks: readonly Mark[]
}

function judgeFlow({ floor }: ToolPolicy, traced: readonly Traced[], { effects, marks }: Flow): Verdict {
  if (floor === 'deny') return { decision: 'deny', cause: 'floor', reason: 'The policy always denies this tool.' }
  const needed = neededAnchoring(effects, marks)
  const open = traced.filter(({ spec }) => spec !== undefined)
  if (needed !== 'nothing' && open.length === 0 && reachesOut(effects)) {
    const reason = 'Nothing in the call shows that the user asked for it.'
    return { decision: 'ask', cause: 'not-anchored', reason }
  }
  const loose = open.filter((each) => matters(each, needed) && !each.anchored).map(({ row }) => row)
  if (loose.length > 0) {
    const read = marks.includes('untrusted') ? ', and the run has read what others may have written' : ''
    const reason = `Neither the user nor the operator named ${list(loose)}${read}.`
    return { decision: 'ask', cause: 'not-anchored', reason }
  }
  if (floor === 'ask') return { decision: 'ask', cause: 'floor', reason: 'The policy always asks before this tool.' }
  return { decision: 'allow', cause: 'permitted', reason: PERMITTED[needed] }
}

const matters = ({ spec }: Traced, needed: Anchoring): boolean =>
  needed === 'everything' || (needed === 'sinks' && spec?.role === 'sink')

/** Of such a call, none of whose arguments anybody named, nobody can say that it was wanted. */
const reachesOut = (effects: readonly Effect[]): boolean =>
  effects.includes('egress') || effects.includes('irreversible')

const list = (rows: readonly ArgumentOrigin[]): string =>
  rows.map(({ argument, origin }) => `${argument} (${origin})`).join(', ')

const PERMITTED: Readonly<Record<Anchoring, string>> = {
  nothing: 'With what the run has read so far, this tool may run freely.',
  sinks: 'The user or the operator named where it goes and how much.',
  everything: 'The user or the operator named every argument.',
}

/** What the tool does, and what the arguments that are given add to it. */
function effectsOf(tool: ToolPolicy, { args, effects = [] }: ProposedCall): Effect[] {
  const added = Object.entries(tool.args).flatMap(([name, spec]) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    const isGiven = value !== undefined && !(Array.isArray(value) && value.length === 0)
    return isGiven && 'adds' in spec ? (spec.adds ?? []) : []
  })
  return [...new Set([...tool.effects, ...added, ...effects])]
}
