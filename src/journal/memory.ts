import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import { FenceError, type Journal } from './journal.ts'
import { gapError } from './journal-error.ts'

/** A journal that is gone with the process: for tests and for runs that nobody will resume. */
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
      return [...runs].reverse().flatMap(([run, events]) => {
        const first = events[0]
        const last = events.at(-1)
        return first && last ? [{ run, first, last }] : []
      })
    },
    async close() {
      closed = true
    },
  }
}
