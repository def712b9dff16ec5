import type { Event, Stamp } from '../core/event.ts'
import type { ModelReplied } from '../core/exchange.ts'
import type { Reply } from '../core/request.ts'

/** A reply as the service sent it, as far as the record says. `events` are those of its run. */
export function recordedReply(replied: Stamp & ModelReplied, events: readonly Event[]): Reply {
  const after = events[replied.seq + 1]
  if (after?.kind === 'reply.malformed' && after.raw !== undefined) return JSON.parse(after.raw) as Reply
  const { text, reasoning, calls, dialect, raw, finish, usage, firstByteMs, totalMs } = replied
  const sent = calls.map(({ id, name, arguments: args, repeatOf }) => ({ id: repeatOf ?? id, name, arguments: args }))
  return {
    text: raw ?? text,
    ...(reasoning === undefined ? {} : { reasoning }),
    calls: dialect === undefined ? sent : [],
    ...{ finish, firstByteMs, totalMs },
    ...(usage === undefined ? {} : { usage }),
  }
}
