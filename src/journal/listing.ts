import type { Event } from '../core/event.ts'
import type { Status } from '../core/outcome.ts'
import type { RunListing } from './journal.ts'

const SHOWN_CHARACTERS = 300

/** What a list shows of the beginning of a run. */
export function describeStart(first: Event): RunListing {
  const { run, at } = first
  if (first.kind !== 'run.started') return { run, at }
  return { run, at, task: clipTask(first.task), model: first.model }
}

/** Where a run stands that nobody works on: how it ended, or that it waits for a person. */
export interface Standing {
  readonly at: string
  readonly status: Status | 'waiting'
}

/** Where a run stands after an event; undefined when it goes on. */
export function describeEnd(last: Event): Standing | undefined {
  if (last.kind === 'run.parked') return { at: last.at, status: 'waiting' }
  return last.kind === 'run.ended' ? { at: last.at, status: last.outcome.status } : undefined
}

/** What a list shows of it. */
export const listEnd = ({ at, status }: Standing): Pick<RunListing, 'end' | 'waitingSince'> =>
  status === 'waiting' ? { waitingSince: at } : { end: { at, status } }

/** What every database keeps as a text. */
const clipTask = (task: string): string => {
  const text = task.length > SHOWN_CHARACTERS ? `${task.slice(0, SHOWN_CHARACTERS)}…` : task
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
