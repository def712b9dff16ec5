import type { Event } from '../core/event.ts'
import { isJsonObject } from '../core/json.ts'
import { damagedError } from './journal-error.ts'

/** A row as the database gives it back: nothing of it is known to be sound. */
export interface StoredEvent {
  readonly seq: number
  readonly at: unknown
  readonly fact: unknown
}

/** A time takes six bytes instead of 31, and comes back as it was written. */
export function storeTime(at: string): number | string {
  const milliseconds = Date.parse(at)
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === at ? milliseconds : at
}

const restoreTime = (at: unknown): string | undefined => {
  if (typeof at === 'string') return at
  return typeof at === 'number' && Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : undefined
}

/** Throws a `TaoError` that names run and sequence number when the row does not hold an event. */
export function restoreEvent(row: StoredEvent, run: string, path: string): Event {
  const at = restoreTime(row.at)
  const fact = parseFact(row.fact)
  if (at === undefined) throw damagedError(run, row.seq, path, 'has no time')
  if (fact === undefined) throw damagedError(run, row.seq, path, 'is torn: it is not the JSON of an event')
  return { run, seq: row.seq, at, ...fact } as Event
}

function parseFact(text: unknown): object | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const fact: unknown = JSON.parse(text)
    return isJsonObject(fact) && typeof fact.kind === 'string' ? fact : undefined
  } catch {
    return undefined
  }
}
