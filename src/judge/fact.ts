import { TaoError } from '../core/error.ts'
import type { FactValue, KnownFact } from '../core/known-fact.ts'
import type { Criterion, Finding, RunRecord } from './criterion.ts'
import { factNamed } from './known-facts.ts'
import { type Pattern, readPattern } from './pattern.ts'

export interface FactOptions {
  /** One that the task declares. */
  readonly fact: string
  /** The value it must have. */
  readonly equals?: FactValue
  /** What its value must contain: a plain text, or `/regular expression/`. */
  readonly matches?: string
  /** False: an observation before the last change counts as well. Default: true. */
  readonly fresh?: boolean
}

/** Holds when an observation established the fact, with the value it must have. Throws a `TaoError` for a bad pattern. */
export function fact(options: FactOptions): Criterion {
  const { fact: name, equals, matches } = options
  if (equals !== undefined && matches !== undefined)
    throw new TaoError('criterion', `The fact ${name} can not both equal and match something: name one.`)
  const pattern = matches === undefined ? undefined : readPattern(matches)
  const wish =
    equals !== undefined
      ? ` = ${JSON.stringify(equals)}`
      : pattern === undefined
        ? ''
        : `, containing ${pattern.written}`
  return {
    name: `fact: ${name}${wish}`,
    check: async ({ record }) => judge(record, options, pattern),
  }
}

function judge(record: RunRecord, { fact: name, equals, fresh = true }: FactOptions, pattern?: Pattern): Finding {
  const found = factNamed(name, record.facts)
  if (found.state === 'missing') return no(`No observation has established ${name} yet.`)
  if (found.state === 'conflict') return no(`Observations disagree about ${name}: ${found.sides.map(show).join('; ')}.`)
  const { known } = found
  if (equals !== undefined && known.value !== equals) return no(`${show(known)}; it must be ${JSON.stringify(equals)}.`)
  const problem = pattern?.problemIn(String(known.value))
  if (problem !== undefined) return no(`${show(known)}, which ${problem}.`)
  if (fresh && known.from < record.lastChange)
    return {
      holds: false,
      doubt: 'stale',
      detail: `${show(known)}, but something was changed after that. Observe it again.`,
    }
  return { holds: true, detail: show(known) }
}

const no = (detail: string): Finding => ({ holds: false, detail })

const show = ({ value, source, from }: KnownFact): string => `${JSON.stringify(value)} from ${source} (event ${from})`
