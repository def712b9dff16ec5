import { oneLine } from '../core/clip.ts'
import type { Event } from '../core/event.ts'
import type { Evidence, Outcome } from '../core/outcome.ts'

/** One thing that went wrong, in the step it happened in. */
interface Trouble {
  readonly step: number
  readonly kind:
    | 'wrong tool'
    | 'wrong arguments'
    | 'refused'
    | 'failed call'
    | 'malformed'
    | 'model'
    | 'sent back'
    | 'no progress'
  readonly sentence: string
}

const MOST_TOLD = 4

/**
 * Where a run that did not succeed left the path, in a paragraph: how it ended, what was missing at the last claim, and the
 * troubles on the way with their steps. Computed from the events alone; undefined for a run that ended well or goes on.
 */
export function explainEnding(events: readonly Event[]): string | undefined {
  const last = events.at(-1)
  if (last?.kind !== 'run.ended' || last.outcome.status === 'success' || last.outcome.status === 'answered')
    return undefined
  const { outcome } = last
  const troubles = troublesIn(events)
  const turning = turningPoint(outcome, troubles)
  return [
    `The run ended as ${outcome.status} at step ${lastStep(events)}: ${outcome.reason}`,
    turning,
    missingWords(outcome.evidence, events.some(({ kind }) => kind === 'end.checked') ? 'end' : 'last claim'),
    onTheWay(troubles.filter(({ sentence }) => !turning.endsWith(sentence))),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** The trouble that this ending is made of, where it began. */
function turningPoint({ limit, status }: Outcome, troubles: readonly Trouble[]): string {
  const first = (...kinds: readonly Trouble['kind'][]): string => {
    const found = troubles.find(({ kind }) => kinds.includes(kind))
    return found === undefined ? '' : `It left the path at step ${found.step}: ${found.sentence}`
  }
  if (limit?.limit === 'repeats') return first('no progress')
  if (limit?.limit === 'malformedReplies') return first('malformed')
  if (limit?.limit === 'refusals') return first('wrong tool', 'refused')
  if (limit?.limit === 'rejectedClaims') return first('sent back')
  if (limit !== undefined) return `Its budget was used up: ${limit.limit} ${limit.value} of ${limit.bound}.`
  return status === 'failed' ? first('model') : ''
}

function missingWords(evidence: readonly Evidence[], when: 'end' | 'last claim'): string {
  const missing = evidence.filter(({ holds }) => !holds)
  if (missing.length === 0) return ''
  const told = missing.map(({ criterion, detail }) =>
    criterion.startsWith('grounded')
      ? `the answer tells what was never observed (${oneLine(detail, 200)})`
      : `${criterion} (${oneLine(detail, 120)})`,
  )
  return `Missing at its ${when}: ${told.join('; ')}.`
}

function onTheWay(troubles: readonly Trouble[]): string {
  if (troubles.length === 0) return ''
  const more = troubles.length - MOST_TOLD
  const told = troubles.slice(0, MOST_TOLD).map(({ step, sentence }) => `step ${step}: ${sentence}`)
  return `On the way: ${told.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`
}

const lastStep = (events: readonly Event[]): number => {
  const sent = events.findLast((event) => event.kind === 'request.sent')
  return sent?.kind === 'request.sent' ? sent.step : 0
}

function troublesIn(events: readonly Event[]): Trouble[] {
  const seen = new Map<string, number>()
  const calls = new Map<string, string>()
  let step = 0
  return events.flatMap((event): Trouble[] => {
    if (event.kind === 'request.sent') step = event.step
    if (event.kind === 'model.replied')
      for (const call of event.calls) calls.set(call.id, `${call.name} ${call.arguments}`)
    const trouble = troubleOf(event) ?? repeated(event, calls, seen)
    return trouble === undefined ? [] : [{ step, ...trouble }]
  })
}

type Found = Omit<Trouble, 'step'>

function troubleOf(event: Event): Found | undefined {
  switch (event.kind) {
    case 'call.refused':
      return refusalOf(event.cause, event.name, event.observation)
    case 'reply.malformed':
      return { kind: 'malformed', sentence: `its reply could not be read (${oneLine(event.problem, 120)}).` }
    case 'model.failed':
      return { kind: 'model', sentence: `the model could not be asked (${oneLine(event.reason, 160)}).` }
    case 'claim.rejected':
      return { kind: 'sent back', sentence: `it said that it was done, without ${missingNames(event.evidence)}.` }
    default:
      return undefined
  }
}

function refusalOf(cause: string, name: string, observation: string): Found | undefined {
  if (cause === 'unknown-tool')
    return { kind: 'wrong tool', sentence: `it called ${oneLine(name, 60)}, which there is not.` }
  if (cause === 'not-permitted')
    return {
      kind: 'refused',
      sentence: `it called ${oneLine(name, 60)} and was refused (${oneLine(observation, 120)}).`,
    }
  if (cause !== 'invalid-arguments') return undefined
  return {
    kind: 'wrong arguments',
    sentence: `it called ${oneLine(name, 60)} with wrong arguments (${oneLine(observation, 120)}).`,
  }
}

/** A result that this very call has given before; the first repetition is where progress ended. */
function repeated(event: Event, calls: ReadonlyMap<string, string>, seen: Map<string, number>): Found | undefined {
  if (event.kind !== 'call.finished') return undefined
  const call = calls.get(event.call) ?? event.name
  const key = `${call}\n${event.observation}`
  const times = (seen.get(key) ?? 0) + 1
  seen.set(key, times)
  if (times === 2)
    return { kind: 'no progress', sentence: `it made the call ${oneLine(call, 120)} again, and got the same result.` }
  if (event.ok || times > 2) return undefined
  return { kind: 'failed call', sentence: `${oneLine(call, 120)} failed (${oneLine(event.observation, 120)}).` }
}

const missingNames = (evidence: readonly Evidence[]): string =>
  evidence.flatMap(({ criterion, holds }) => (holds ? [] : [`"${oneLine(criterion, 80)}"`])).join(' and ')
