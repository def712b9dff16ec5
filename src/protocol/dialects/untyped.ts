import { type SpokenCall, unreadable } from '../spoken-call.ts'
import type { Block } from './dialect.ts'
import { type ParameterForm, parameterReader, withoutEdges } from './parameters.ts'
import { readBlocks } from './scan.ts'

interface UntypedForm extends ParameterForm {
  /** May follow the end of a call. */
  readonly behind: (text: string, end: number) => number
}

/** Calls whose arguments stand in tags as text without a type. The first group of `call` is the name. */
export function readUntyped(text: string, form: UntypedForm, isCall = (_name: string, _from: number) => true): Block[] {
  const readParameters = parameterReader(text, form)
  return readBlocks(text, form.call, (match, from) => {
    const name = (match[1] ?? '').trim()
    if (!isCall(name, from)) return undefined
    const read = readParameters(from)
    const end = form.behind(text, read.end)
    if ('problem' in read) return { calls: [{ ...unreadable(text.slice(match.index, end), read.problem), name }], end }
    return { calls: [untypedCall(name, read.given)], end }
  })
}

function untypedCall(
  name: string,
  given: readonly { readonly tag: RegExpExecArray; readonly value: string }[],
): SpokenCall {
  const entries = given.map(({ tag, value }) => [(tag[1] ?? '').trim(), withoutEdges(value)] as const)
  return { name, ...objectOf(entries), untyped: true }
}

/** Equal keys are a problem, not a guess at which was meant. */
export function objectOf(entries: readonly (readonly [string, unknown])[]): Omit<SpokenCall, 'name'> {
  const seen = new Set<string>()
  const twice = entries.find(([key]) => seen.size === seen.add(key).size)
  const args = { arguments: JSON.stringify(Object.fromEntries(entries)) }
  return twice === undefined ? args : { ...args, problem: `the argument "${twice[0].slice(0, 100)}" appears twice` }
}
