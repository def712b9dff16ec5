import { z } from 'zod'
import type { Effect } from '../core/call.ts'
import { CORPUS } from '../core/corpus-address.ts'
import type { Json } from '../core/json.ts'
import { MARKS } from '../core/mark.ts'

/*
 * One schema checks a policy and types it. A policy is data: no code, no order, no priorities, no regular expressions.
 */

const EFFECTS: readonly Effect[] = ['read', 'write', 'egress', 'irreversible']
/** What the session fills in. The model neither sees nor sets such an argument. */
const BINDINGS = ['tenant', 'client', 'account', 'workspace', 'user'] as const

const count = z.int().positive()
const effects = z.array(z.enum(EFFECTS)).min(1)
const marks = z.array(z.enum(MARKS))
const words = z.array(z.string().min(1)).min(1)
const word = z.union([z.string().min(1), z.number(), z.boolean()])
const json = z.custom<Json>((value) => value !== undefined)
const names = <V extends z.ZodType>(value: V) => z.record(z.string().min(1), value)

/** A host by its name, in lower case: no address, no port, no pattern. It covers the hosts below it. */
const host = z.string().refine(isHostName, { error: 'a host such as nodejs.org, without "https://", "*" or a port' })

function isHostName(text: string): boolean {
  const isName = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(text)
  return isName && URL.parse(`https://${text}`)?.hostname === text && !/^[\d.]+$/.test(text)
}

/** Where an argument may lead: hosts, and the documents of the run's corpus. */
const listedPlace = z.union([z.literal(CORPUS), host])

const oneOf = z.strictObject({ oneOf: z.array(word).min(1) })
const number = z.strictObject({
  number: z.tuple([z.number(), z.number()]).refine(([from, to]) => from <= to, { error: 'the smaller number first' }),
})
/** A day is `YYYY-MM-DD`, a minute `YYYY-MM-DD HH:MM`. */
const date = z.strictObject({ date: z.enum(['day', 'minute']) })

/** Types with so few values that a reader's answer of such a type cannot carry an instruction. */
const closedType = z.union([oneOf, number, date])

const singleType = z.union([
  closedType,
  z.strictObject({ text: count }),
  z.strictObject({ id: z.string().min(1) }),
  z.strictObject({ money: count, decimals: z.int().min(0).max(4).exactOptional() }),
  z.strictObject({ path: z.enum(BINDINGS), except: words.exactOptional() }),
  z.strictObject({ url: z.array(listedPlace) }),
  z.strictObject({ argv: names(z.array(z.string().startsWith('-'))) }),
  z.strictObject({ json: count }),
])

/** `alone`: one element may also stand there without a list around it. */
const list = z.strictObject({ list: singleType, max: count, alone: z.literal(true).exactOptional() })

const type = z.union([singleType, list])

const bound = z.strictObject({ bind: z.enum(BINDINGS) })

const open = z.strictObject({
  /** A sink decides who, where, which or how much; a payload is what is said. */
  role: z.enum(['sink', 'payload']),
  type,
  /** Values that the operator vouches for, or the name of a list that the session brings. */
  known: z.union([words, z.string().min(1)]).exactOptional(),
  /** Harmless whatever it says, since the type confines it. */
  free: z.literal(true).exactOptional(),
  optional: z.literal(true).exactOptional(),
  /** What the call does in addition when this argument is given. */
  adds: effects.exactOptional(),
})

/** A call and the run it happens in; nothing said means a fresh run whose user has typed nothing. */
const example = z.strictObject({
  args: names(json),
  words: z.string().exactOptional(),
  marks: marks.exactOptional(),
})

const tool = z.strictObject({
  effects,
  args: names(z.union([bound, open])),
  /** What the result puts on the run. Default: both. */
  marks: marks.exactOptional(),
  /** Marks of single fields of the result, beside those of the whole. */
  fields: names(marks).exactOptional(),
  /** A typed reader: its answer is a value of this closed type and nothing else. */
  answer: closedType.exactOptional(),
  /** May only raise a decision. */
  floor: z.enum(['ask', 'deny']).exactOptional(),
  /** Calls in a run; money in a day, in minor units. */
  limits: z.strictObject({ perRun: count.exactOptional(), perDay: count.exactOptional() }).exactOptional(),
  runs: z.array(example).exactOptional(),
  asks: z.array(example).exactOptional(),
  denies: z.array(example).min(1),
})

export const policySchema = z.strictObject({ tools: names(tool) })

/** What is wrong, one sentence a place: `tools.mail.args.to.role: …`. */
export function describePolicyIssues({ issues }: z.ZodError): string[] {
  return issues.flatMap((issue) => describeIssue(issue, []))
}

function describeIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): string[] {
  const path = [...above, ...issue.path]
  if (issue.code !== 'invalid_union') return [`${path.map(String).join('.') || 'the policy'}: ${issue.message}`]
  // Of the alternatives, the one that came furthest is the one that was meant.
  const alternatives = issue.errors.map((errors) => errors.flatMap((error) => describeIssue(error, path)))
  const [nearest] = alternatives.filter((each) => each.length > 0).sort((a, b) => rank(a) - rank(b))
  return nearest ?? [`${path.map(String).join('.')}: ${issue.message}`]
}

const rank = (sentences: readonly string[]): number =>
  sentences.filter((sentence) => /unrecognized|expected/i.test(sentence)).length

export type Policy = z.output<typeof policySchema>
export type ToolPolicy = z.output<typeof tool>
export type OpenArgument = z.output<typeof open>
export type ArgumentType = z.output<typeof type>
export type ClosedType = z.output<typeof closedType>
export type Example = z.output<typeof example>
