import type { StoredRun } from '../app/stored-runs.ts'
import type { Event } from '../core/event.ts'
import { findDifference } from '../run/difference.ts'
import { count } from './amounts.ts'
import { jsonLine, short } from './printable.ts'
import { openTimeline } from './timeline.ts'

const PLAIN = { strong: asIs, faint: asIs, good: asIs, bad: asIs }
const LEAST_WIDTH = 100

/** Two runs side by side from where they part, step by step; for programs how far they agree and what each has beyond. */
export function showTwo(a: StoredRun, b: StoredRun, { json, width }: { json: boolean; width: number }): string {
  const same = commonEvents(a.events, b.events)
  if (json) return `${jsonLine({ same, a: a.events.slice(same), b: b.events.slice(same) })}\n`
  const column = Math.floor(Math.max(width, LEAST_WIDTH) / 2) - 2
  const [left, right] = [stepsFrom(a.events, same), stepsFrom(b.events, same)]
  const steps = [...new Set([...left.keys(), ...right.keys()])].sort((one, two) => one - two)
  const rows = steps.flatMap((step) => beside(left.get(step) ?? [], right.get(step) ?? [], column))
  return [`The first ${count(same, 'event')} are the same.`, ...beside(headOf(a), headOf(b), column), ...rows, ''].join(
    '\n',
  )
}

const headOf = ({ run, started }: StoredRun): string[] => [run, `${started.model}, ${started.protocol}`]

/** How many events agree from the beginning. That each run has its own files and was asked in its own words is no parting. */
function commonEvents(a: readonly Event[], b: readonly Event[]): number {
  const parting = a.findIndex((event, at) => at > 0 && !isAlike(event, b[at]))
  return parting === -1 ? a.length : parting
}

const isAlike = (a: Event, b: Event | undefined): boolean =>
  b !== undefined && findDifference(timeless(a), timeless(b)) === undefined

/** How long something took is never the same twice. */
const timeless = (event: Event): Event => Object.assign({}, event, { durationMs: 0, firstByteMs: 0, totalMs: 0 })

function stepsFrom(events: readonly Event[], from: number): Map<number, string[]> {
  const timeline = openTimeline(PLAIN)
  const steps = new Map<number, string[]>()
  let step = 0
  for (const [at, event] of events.entries()) {
    if (event.kind === 'request.sent') step = event.step
    const lines = timeline(event)
    if (at >= from) steps.set(step, [...(steps.get(step) ?? []), ...lines, ...endLine(event)])
  }
  return steps
}

const endLine = (event: Event): string[] =>
  event.kind === 'run.ended' ? [`${event.outcome.status}: ${event.outcome.reason}`] : []

function beside(left: readonly string[], right: readonly string[], column: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at): string => {
    const [one, two] = [cell(left[at], column), cell(right[at], column)]
    return `${one.padEnd(column)} │ ${two}`.trimEnd()
  })
}

function cell(line: string | undefined, column: number): string {
  const text = line ?? ''
  const indent = text.slice(0, text.search(/\S|$/))
  return indent + short(text, column - indent.length)
}

function asIs(text: string): string {
  return text
}
