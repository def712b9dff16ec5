import { type JsonObject, jsonObjectIn } from '../core/json.ts'
import type { FactConfirmed, FactConflict, KnownFact } from '../core/known-fact.ts'
import type { RecordedCall } from '../judge/criterion.ts'
import { addFact, describeFact, factNamed } from '../judge/known-facts.ts'
import type { Run } from './run.ts'
import type { EndedCall } from './state.ts'

/** What the last call that ended establishes. To be asked right after its result was recorded. */
export function* readFacts(run: Run): Generator<FactConfirmed | FactConflict> {
  const ended = run.state.ended.at(-1)
  if (ended === undefined || run.parts.facts === undefined) return
  for (const known of run.parts.facts.read(recordedCall(ended))) yield standingOf(known, run.state.facts)
}

/** The model is told of a fact when it becomes known, when it changes, and when two sources disagree about it. */
function standingOf(added: KnownFact, before: readonly KnownFact[]): FactConfirmed | FactConflict {
  const earlier = factNamed(added.fact, before)
  const now = factNamed(added.fact, addFact(before, added))
  if (now.state === 'conflict') {
    const against = now.sides.find(({ value }) => value !== added.value) ?? added
    return { kind: 'fact.conflict', ...added, against, observation: conflictWords(added, against) }
  }
  if (earlier.state === 'known' && earlier.known.value === added.value) return { kind: 'fact.confirmed', ...added }
  return { kind: 'fact.confirmed', ...added, observation: `Confirmed fact: ${describeFact(added)}.` }
}

const conflictWords = (added: KnownFact, against: KnownFact): string =>
  `Observations disagree: ${describeFact(added)}, but ${describeFact(against)}. ` +
  'Make one of these calls again, or find out which is right; until they agree the task cannot be done.'

/** As criteria see a call. */
export function recordedCall({ call, edited, ...rest }: EndedCall): RecordedCall {
  return { ...rest, id: call.id, name: call.name, arguments: edited ?? writtenArguments(call.arguments) }
}

/** As the model wrote them. */
const writtenArguments = (text: string): JsonObject | undefined => (text.trim() === '' ? {} : jsonObjectIn(text))
