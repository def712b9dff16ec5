import { isReadOnly } from '../core/call.ts'
import { describeError } from '../core/error.ts'
import type { Event, Fact } from '../core/event.ts'
import { evolve } from './evolve.ts'
import type { Run } from './run.ts'

/**
 * Records one fact, without secrets: journal first, then state, then listeners. Whatever a model or a person is shown comes
 * from here, so no secret gets any further. Resolves at once, but for the facts that others rely on: a
 * call with an effect does not start before its intent is safe on disk.
 */
export async function record(run: Run, fact: Fact): Promise<void> {
  const { state, parts } = run
  const safe = parts.masker?.mask(fact) ?? fact
  const event: Event = { run: run.id, seq: state.seq, at: new Date(parts.clock.now()).toISOString(), ...safe }
  parts.journal.append(event)
  evolve(state, event)
  notify(parts, event)
  const how = neededSafety(run, fact)
  if (how !== undefined) await parts.journal.flush(run.id, how)
}

function neededSafety(run: Run, fact: Fact): 'committed' | 'durable' | undefined {
  if (fact.kind === 'run.started' || fact.kind === 'run.ended') return 'committed'
  if (fact.kind !== 'call.started') return undefined
  const open = run.state.calls.find((each) => each.call.id === fact.call)
  return open !== undefined && isReadOnly(open.effects) ? undefined : 'durable'
}

function notify({ onEvent, masker }: Run['parts'], event: Event): void {
  try {
    onEvent?.(event)
  } catch (error) {
    const why = describeError(error)
    process.emitWarning(`A listener of run ${event.run} failed on ${event.kind}: ${masker?.mask(why) ?? why}`)
  }
}
