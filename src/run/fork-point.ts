import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import { evolve } from './evolve.ts'
import { emptyState, type State } from './state.ts'

/** What does not belong to the step before it: the end, and what was said and decided about going on. */
const BETWEEN_STEPS: ReadonlySet<Event['kind']> = new Set([
  ...(['limit.reached', 'user.said', 'run.parked', 'run.resumed', 'end.checked', 'run.ended'] as const),
])

/**
 * The events of a run until the end of a step, 0 for its start, and what they add up to. At the last step the end of the run
 * is among them. Throws a `TaoError` for a step that there is not, or that was not finished.
 */
export function eventsUntil(events: readonly Event[], step: number): { events: readonly Event[]; state: State } {
  const run = events[0]?.run ?? ''
  const steps = events.reduce((most, event) => (event.kind === 'request.sent' ? Math.max(most, event.step) : most), 0)
  if (!Number.isInteger(step) || step < 0 || step > steps)
    throw new TaoError('fork', `Run ${run} has no step ${step}.`, {
      fix: `Its steps are 1 to ${steps}; 0 is its start. See them with: tao show ${run}`,
    })
  const until = events.slice(0, endOf(events, step))
  const state = emptyState()
  for (const event of until) evolve(state, event)
  const open = state.calls.find(({ stage }) => stage !== 'answered')
  if (open === undefined) return { events: until, state }
  throw new TaoError('fork', `Step ${step} of run ${run} is not finished: ${open.call.name} has no answer yet.`, {
    fix: `Go on with the run, or fork at step ${step - 1}.`,
  })
}

function endOf(events: readonly Event[], step: number): number {
  const next = events.findIndex((event) => event.kind === 'request.sent' && event.step > step)
  if (next === -1) return events.length
  let end = next
  while (BETWEEN_STEPS.has(events[end - 1]?.kind ?? 'request.sent')) end -= 1
  return end
}
