import { TaoError } from '../core/error.ts'
import { type Event, FORMAT_VERSION } from '../core/event.ts'
import { openConversation } from './conversation.ts'
import { evolve } from './evolve.ts'
import type { Parts, Run } from './run.ts'
import { emptyState } from './state.ts'

/**
 * A run read back from its journal, in the state its events add up to. Nothing is recorded. Throws a `TaoError` for events
 * that are no run, or one of a newer Tao.
 */
export function takeUp(id: string, events: readonly Event[], parts: Parts): Run {
  const [first] = events
  if (first?.kind !== 'run.started')
    throw new TaoError('run', `The journal of run ${id} does not begin with its start.`)
  if (first.formatVersion > FORMAT_VERSION)
    throw new TaoError('version', `Run ${id} was recorded by a newer Tao (format ${first.formatVersion}).`, {
      fix: 'Use that version to go on with it.',
    })
  const state = emptyState()
  for (const event of events) evolve(state, event)
  const head = state.started?.head ?? first.head
  return { id, state, parts, ...openConversation(head, state.messages.slice(0, state.asked), parts) }
}
