import { TaoError } from '../core/error.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { decide } from './decide.ts'
import { describePolicyIssues, type Example, type Policy, policySchema, type ToolPolicy } from './schema.ts'

/**
 * Makes a policy of what was read from a file: every key known, every example decided as it says. Throws a `TaoError` that
 * names each problem on a line of its own; a policy that does not load stops the run that wanted it.
 */
export function loadPolicy(value: unknown): Policy {
  const name = forbiddenName(value)
  if (name !== undefined) throw policyError([`the name "${name}" is not allowed`])
  const result = policySchema.safeParse(value)
  if (!result.success) throw policyError(describePolicyIssues(result.error))
  const problems = Object.entries(result.data.tools).flatMap(([tool, spec]) =>
    [...findContradictions(spec), ...findFailures(result.data, tool)].map((problem) => `tools.${tool}: ${problem}`),
  )
  if (problems.length > 0) throw policyError(problems)
  return result.data
}

const policyError = (problems: readonly string[]): TaoError =>
  new TaoError('policy', problems.join('\n'), { fix: 'How a policy is written: docs/policy.md' })

/** How many examples a tool has; loading has tried each. */
export const countExamples = ({ runs = [], asks = [], denies }: ToolPolicy): number =>
  runs.length + asks.length + denies.length

function findContradictions({ args, limits, runs = [], asks = [], floor, answer, effects }: ToolPolicy): string[] {
  const specs = Object.values(args)
  const amounts = specs.filter((spec) => !('bind' in spec) && 'money' in spec.type)
  return [
    ...(limits?.perDay !== undefined && amounts.length === 0 ? ['perDay needs an argument of type money'] : []),
    ...(runs.length + asks.length === 0 && floor !== 'deny' ? ['it needs an example under runs or asks'] : []),
    ...(answer !== undefined && effects.some((effect) => effect !== 'read') ? ['a typed reader only reads'] : []),
  ]
}

function findFailures(policy: Policy, tool: string): string[] {
  const spec = policy.tools[tool]
  if (spec === undefined) return []
  const { runs = [], asks = [], denies } = spec
  const expected = [
    ...runs.map((example) => ({ example, wanted: 'allow' })),
    ...asks.map((example) => ({ example, wanted: 'ask' })),
    ...denies.map((example) => ({ example, wanted: 'deny' })),
  ]
  return expected.flatMap(({ example, wanted }) => {
    const { decision, reason } = decideExample(policy, tool, example)
    if (decision === wanted) return []
    return [`an example says ${wanted}, the decision is ${decision}: ${JSON.stringify(example.args)}: ${reason}`]
  })
}

/** Examples are about the call: the session is complete, nothing is used up, and somebody can be asked. */
function decideExample(policy: Policy, tool: string, { args, words = '', marks = [] }: Example) {
  return decide(
    policy,
    { tool, args },
    {
      marks,
      words: [{ kind: 'typed', text: words }],
      session: { tenant: 'tenant', client: 'client', account: 'account', user: 'user', workspace: '/workspace' },
      used: { calls: 0, money: 0 },
      canAsk: true,
    },
  )
}

/** Names that reach prototypes are refused at any depth, as they are in arguments. */
function forbiddenName(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(forbiddenName).find((name) => name !== undefined)
  if (!isJsonObject(value)) return undefined
  const [name] = ['__proto__', 'constructor', 'prototype'].filter((each) => Object.hasOwn(value, each))
  return name ?? forbiddenName(Object.values(value) as Json[])
}

/**
 * Where a policy and the tools of a run speak of different arguments, one sentence each. A tool's argument that the policy
 * does not know could never be given; one that only the policy knows guards nothing.
 */
export function findMismatches(
  policy: Policy,
  definitions: readonly { readonly name: string; readonly parameters: JsonObject }[],
): string[] {
  return definitions.flatMap(({ name, parameters: { properties } }) => {
    const spec = Object.hasOwn(policy.tools, name) ? policy.tools[name] : undefined
    if (spec === undefined) return [`The policy has no tool "${name}".`]
    const given = isJsonObject(properties) ? Object.keys(properties) : []
    const named = Object.keys(spec.args)
    return [
      ...given.filter((each) => !named.includes(each)).map((each) => `The policy does not name "${each}" of ${name}.`),
      ...named.filter((each) => !given.includes(each)).map((each) => `The tool ${name} has no argument "${each}".`),
    ]
  })
}
