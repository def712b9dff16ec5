import type { ScriptReply } from '../../src/model/script.ts'
import { type Asked, call, reply as carefulReply } from './reminder.ts'

/** Plays a model that wants to be done in one step: it asks for the time and, without waiting for it, makes one up. */
export function reply({ messages }: Asked): ScriptReply {
  if (messages.some(({ role }) => role === 'assistant')) return carefulReply({ messages })
  const invented = { now: '2025-01-01T12:00:00+00:00', at: '2025-01-01T12:02:00+00:00', text: 'go for a walk' }
  return call({ agent: 'datetime', args: {} }, { agent: 'reminder', args: invented })
}
