import { isDeepStrictEqual } from 'node:util'
import type { Event, Fact } from '../core/event.ts'

/** The first thing that would not be as it was recorded. */
export interface Difference {
  readonly seq: number
  readonly kind: Event['kind']
  /** The field that differs, such as `sha256` or `outcome.reason`; `kind` where another event would follow. */
  readonly field: string
  readonly recorded: unknown
  readonly now: unknown
}

type Sides = Pick<Difference, 'recorded' | 'now'>

export class Divergence extends Error {
  readonly difference: Difference

  constructor({ seq, kind }: Event, field: string, sides: Sides) {
    super(`Event ${seq}, ${kind}, differs in ${field}.`)
    this.difference = { seq, kind, field, ...sides }
  }
}

/** What is counted on the machine, and what the files look like, says nothing about a decision. */
const MEASURED: ReadonlySet<string> = new Set([
  'run',
  'seq',
  'at',
  'worker',
  'outcome.changed',
  'outcome.leftOut',
  'outcome.unlisted',
])

/** The first field in which a fact is not what was recorded; undefined when it is. */
export function findDifference(recorded: Event, now: Fact): [field: string, sides: Sides] | undefined {
  if (recorded.kind !== now.kind) return ['kind', { recorded: recorded.kind, now: now.kind }]
  return compare(asTable(recorded), asTable(now), '')
}

/** As it is on disk: what is undefined is not there. */
const asTable = (value: object): Table => JSON.parse(JSON.stringify(value)) as Table
type Table = Record<string, unknown>

function compare(recorded: Table, now: Table, above: string): [string, Sides] | undefined {
  for (const key of new Set([...Object.keys(now), ...Object.keys(recorded)])) {
    const field = above === '' ? key : `${above}.${key}`
    const sides = { recorded: recorded[key], now: now[key] }
    if (MEASURED.has(field) || isDeepStrictEqual(sides.recorded, sides.now)) continue
    if (field === 'outcome') return compare(sides.recorded as Table, sides.now as Table, field)
    return [field, sides]
  }
  return undefined
}
