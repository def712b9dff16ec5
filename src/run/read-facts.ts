import type { ToolCall } from '../core/call.ts'
import type { JsonObject } from '../core/json.ts'
import type { FactConfirmed, FactConflict, KnownFact } from '../core/known-fact.ts'
import type { RecordedCall } from '../judge/criterion.ts'
import { addFact, describeFact, factNamed } from '../judge/known-facts.ts'
import { readArguments } from './arguments.ts'
import type { Parts, Run } from './run.ts'
import type { EndedCall } from './state.ts'

/** What the last call that ended establishes. To be asked right after its result was recorded. */
export function* readFacts(run: Run): Generator<FactConfirmed | FactConflict> {
  const ended = run.state.ended.at(-1)
  if (ended === undefined || run.parts.facts === undefined) return
  for (const known of run.parts.facts.read(recordedCall(run, ended))) yield standingOf(known, run.state.facts)
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

/** As criteria see a call: with the arguments that its tool was given, where they could be read. */
export function recordedCall({ parts }: Pick<Run, 'parts'>, { call, edited, ...rest }: EndedCall): RecordedCall {
  return { ...rest, id: call.id, name: call.name, arguments: edited ?? givenTo(parts, call) }
}

function givenTo({ tools }: Parts, call: ToolCall): JsonObject | undefined {
  const read = readArguments(call, tools.get(call.name)?.definition.parameters ?? {})
  return read.ok ? read.args : undefined
}
