import { isReadOnly } from '../core/call.ts'
import { describeError } from '../core/error.ts'
import type { Event, Fact } from '../core/event.ts'
import { evolve } from './evolve.ts'
import type { Run } from './run.ts'

/**
 * Records one fact: journal first, then state, then listeners. Resolves at once, but for the facts that others rely on: a
 * call with an effect does not start before its intent is safe on disk.
 */
export async function record(run: Run, fact: Fact): Promise<void> {
  const { state, parts } = run
  const event: Event = { run: run.id, seq: state.seq, at: new Date(parts.clock.now()).toISOString(), ...fact }
  parts.journal.append(event)
  evolve(state, event)
  notify(parts.onEvent, event)
  const how = neededSafety(run, fact)
  if (how !== undefined) await parts.journal.flush(run.id, how)
}

function neededSafety(run: Run, fact: Fact): 'committed' | 'durable' | undefined {
  if (fact.kind === 'run.started' || fact.kind === 'run.ended') return 'committed'
  if (fact.kind !== 'call.started') return undefined
  const open = run.state.calls.find((each) => each.call.id === fact.call)
  return open !== undefined && isReadOnly(open.effects) ? undefined : 'durable'
}

function notify(listener: ((event: Event) => void) | undefined, event: Event): void {
  try {
    listener?.(event)
  } catch (error) {
    process.emitWarning(`A listener of run ${event.run} failed on ${event.kind}: ${describeError(error)}`)
  }
}
