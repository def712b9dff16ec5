import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import { FenceError, type Journal } from './journal.ts'
import { gapError } from './journal-error.ts'
import { describeEnd, describeStart, listEnd } from './listing.ts'

/**
 * A journal that is gone with the process: for tests and for runs that nobody will resume. Its events are not chained:
 * whoever could change them could change the program too.
 */
export function memoryJournal(): Journal {
  const runs = new Map<string, Event[]>()
  let closed = false

  const requireOpen = (): void => {
    if (closed) throw new TaoError('journal', 'The journal is closed.')
  }

  return {
    append(event) {
      requireOpen()
      const events = runs.get(event.run) ?? []
      if (event.seq < events.length) throw new FenceError(event.run, event.seq)
      if (event.seq > events.length) throw gapError(event.run, events.length, event.seq)
      events.push(event)
      runs.set(event.run, events)
    },
    async flush() {
      requireOpen()
    },
    async read(run) {
      requireOpen()
      return [...(runs.get(run) ?? [])]
    },
    async runs() {
      requireOpen()
      return [...runs.values()].reverse().flatMap((events) => {
        const [first, last] = [events[0], events.at(-1)]
        const end = last && describeEnd(last)
        return first ? [{ ...describeStart(first), ...(end && listEnd(end)) }] : []
      })
    },
    async close() {
      closed = true
    },
  }
}
