import type { Event } from '../../src/core/event.ts'
import { type Journal, memoryJournal } from '../../src/index.ts'

/** The journal of a process that was ended right after a call had started, where these are the events of a whole run. */
export function endedAtStart(events: readonly Event[]): Journal {
  const journal = memoryJournal()
  const at = events.findIndex(({ kind }) => kind === 'call.started')
  for (const event of events.slice(0, at + 1)) journal.append(event)
  return journal
}
