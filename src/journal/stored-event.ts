import { TaoError } from '../core/error.ts'
import { type Event, FORMAT_VERSION } from '../core/event.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import { damagedError } from './journal-error.ts'
import type { EventRecord } from './stored-journal.ts'

/** What has to be added to a stamp to make an event, as it is kept. */
export function factText({ run: _run, seq: _seq, at: _at, ...fact }: Event): string {
  return JSON.stringify(fact)
}

/** A time takes six bytes instead of 31, and comes back as it was written. */
export function storeTime(at: string): number | string {
  const milliseconds = Date.parse(at)
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === at ? milliseconds : at
}

/** Undefined for what is no time. */
export const restoreTime = (at: unknown): string | undefined => {
  if (typeof at === 'string') return at
  return typeof at === 'number' && Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : undefined
}

/**
 * The events of a run. Throws a `TaoError` that names run and sequence number for the first record that is missing or no
 * event, and for a run of a newer format. `from`: the number of the first one.
 */
export function restoreEvents(
  records: Iterable<EventRecord>,
  { run, place, from = 0 }: { readonly run: string; readonly place: string; readonly from?: number },
): Event[] {
  const events: Event[] = []
  for (const record of records) {
    const seq = from + events.length
    if (record.seq !== seq) throw damagedError(run, seq, place, 'is missing')
    const event = restoreEvent(run, record, place)
    if (event.kind === 'run.started' && event.formatVersion > FORMAT_VERSION) throw newerError(event)
    events.push(event)
  }
  return events
}

function restoreEvent(run: string, { seq, at, fact: text }: EventRecord, place: string): Event {
  const fact = parseFact(text)
  if (at === undefined) throw damagedError(run, seq, place, 'has no time')
  if (fact === undefined) throw damagedError(run, seq, place, 'is torn: it is not the JSON of an event')
  return { run, seq, at, ...fact } as unknown as Event
}

const newerError = ({ run, formatVersion }: { readonly run: string; readonly formatVersion: number }): TaoError =>
  new TaoError(
    'journal',
    `Run ${run} has format ${formatVersion}; this version of Tao reads up to ${FORMAT_VERSION}.`,
    {
      fix: 'Update Tao to read it.',
    },
  )

/** Half an event at the end of a run; what a crash or a failing disk leaves there. */
export const isTorn = ({ at, fact }: EventRecord): boolean => at === undefined || parseFact(fact) === undefined

/** Undefined for a text that is not the JSON of a fact. */
export function parseFact(text: unknown): JsonObject | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const fact: unknown = JSON.parse(text)
    return isJsonObject(fact) && typeof fact.kind === 'string' ? fact : undefined
  } catch {
    return undefined
  }
}
