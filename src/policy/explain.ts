import type { Effect } from '../core/call.ts'
import { MARKS, type Mark } from '../core/mark.ts'
import { describeType } from './describe.ts'
import { type Anchoring, neededAnchoring } from './flow.ts'
import type { Policy, ToolPolicy } from './schema.ts'

/** What a policy lets one tool do. */
export interface Explanation {
  readonly tool: string
  /** Plain words, ending with a full stop. */
  readonly sentence: string
}

/** A sentence for each tool, in the order of the file. */
export const explainPolicy = ({ tools }: Policy): Explanation[] =>
  Object.entries(tools).map(([tool, spec]) => ({ tool, sentence: `${tool} ${explainTool(spec)}.` }))

function explainTool(tool: ToolPolicy): string {
  const parts = [
    `${phrase(tool.effects.map((effect) => EFFECTS[effect]))}, and ${explainDecision(tool)}`,
    ...explainAdditions(tool),
    ...explainLimits(tool),
    ...explainBound(tool),
    ...(tool.floor === 'deny' ? [] : [explainResult(tool)]),
  ]
  return parts.join('; ')
}

const EFFECTS: Readonly<Record<Effect, string>> = {
  read: 'reads',
  write: 'changes what can be changed back',
  egress: 'sends data out',
  irreversible: 'does what cannot be undone',
}

const FREELY = 'runs freely'

function explainDecision(tool: ToolPolicy): string {
  if (tool.floor === 'deny') return 'is always denied'
  if (tool.floor === 'ask') return 'always asks'
  const [unmarked, afterPrivate, afterForeign] = [[], ['private'], ['untrusted']].map((marks) =>
    condition(tool, neededAnchoring(tool.effects, marks as Mark[])),
  )
  if (afterPrivate === afterForeign && unmarked !== afterPrivate)
    return `${unmarked}, but once the run has read anything private or written by others it ${afterForeign}`
  return [
    unmarked,
    ...(afterPrivate === unmarked ? [] : [`but once the run has read anything private it ${afterPrivate}`]),
    ...(afterForeign === afterPrivate
      ? []
      : [`but once the run has read anything written by others it ${afterForeign}`]),
  ].join(', ')
}

/** Free arguments and those of the session need nobody to name them, so they are no condition. */
function condition({ args }: ToolPolicy, needed: Anchoring): string {
  const names = Object.entries(args).flatMap(([name, spec]) =>
    'bind' in spec || spec.free || needed === 'nothing' || (needed === 'sinks' && spec.role !== 'sink') ? [] : [name],
  )
  return names.length === 0 ? FREELY : `asks unless you or a list named ${phrase(names)}`
}

const explainAdditions = ({ args }: ToolPolicy): string[] =>
  Object.entries(args).flatMap(([name, spec]) =>
    'bind' in spec || spec.adds === undefined
      ? []
      : [`with ${name} it also ${phrase(spec.adds.map((effect) => EFFECTS[effect]))}`],
  )

function explainLimits({ limits }: ToolPolicy): string[] {
  const { perRun, perDay } = limits ?? {}
  return [
    ...(perRun === undefined ? [] : [`at most ${perRun} calls in a run`]),
    ...(perDay === undefined ? [] : [`at most ${perDay} minor units of money in a day`]),
  ]
}

function explainBound({ args }: ToolPolicy): string[] {
  const names = Object.entries(args).flatMap(([name, spec]) => ('bind' in spec ? [name] : []))
  return names.length === 0 ? [] : [`${phrase(names)} ${names.length === 1 ? 'comes' : 'come'} from the session`]
}

function explainResult({ marks = [...MARKS], fields = {}, answer }: ToolPolicy): string {
  if (answer !== undefined) return `what it gives is ${describeType(answer)} and nothing else`
  const ofFields = Object.entries(fields).map(([name, each]) => `${name} in it also as ${adjectives(each)}`)
  return [`what it gives counts as ${adjectives(marks)}`, ...ofFields].join(', ')
}

const adjectives = (marks: readonly Mark[]): string =>
  marks.length === 0 ? 'neither private nor written by others' : phrase(marks.map((mark) => ADJECTIVES[mark]))

const ADJECTIVES: Readonly<Record<Mark, string>> = { untrusted: 'written by others', private: 'private' }

const phrase = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
