import type { CallParked } from '../core/approval.ts'
import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import type { Settings } from './settings.ts'
import { lookAtEach } from './stored-runs.ts'

/** The calls of a run that wait for a person, in their order. */
export function waitingCalls(events: readonly Event[]): CallParked[] {
  const waiting = new Map<string, CallParked>()
  for (const event of events) {
    if (event.kind === 'call.parked') waiting.set(event.call, event)
    else if ('call' in event) waiting.delete(event.call)
  }
  return [...waiting.values()]
}

/** For each of these runs, the names of the tools whose calls wait. A run that cannot be read has none, and is listed all the same. */
export const toolsWaitedFor = (
  settings: Settings,
  runs: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> =>
  lookAtEach(settings, runs, (events) => waitingCalls(events).map(({ name }) => name))

/**
 * The call that a person means to answer: `wanted`, or the only one that waits. Throws a `TaoError` that says why there is none,
 * or which there are.
 */
export function findWaitingCall(run: string, events: readonly Event[], wanted: string | undefined): CallParked {
  const waiting = waitingCalls(events)
  const found = wanted === undefined ? onlyOne(run, waiting) : waiting.find(({ call }) => call === wanted)
  if (found === undefined) throw notWaiting({ run, call: wanted ?? '', waiting }, events)
  if (Date.parse(found.expiresAt) > Date.now()) return found
  throw new TaoError('approval', `Call ${found.call} of run ${run} could be answered until ${found.expiresAt}.`, {
    fix: `It will not be run. To go on without it: tao resume ${run}`,
  })
}

function onlyOne(run: string, waiting: readonly CallParked[]): CallParked {
  const [first] = waiting
  if (first !== undefined && waiting.length === 1) return first
  if (first === undefined)
    throw new TaoError('approval', `Nothing of run ${run} waits for an answer.`, {
      fix: `See where it stands with: tao show ${run}`,
    })
  throw new TaoError('approval', `${waiting.length} calls of run ${run} wait.`, { fix: `Name one: ${idsOf(waiting)}` })
}

interface Missing {
  readonly run: string
  readonly call: string
  readonly waiting: readonly CallParked[]
}

function notWaiting({ run, call, waiting }: Missing, events: readonly Event[]): TaoError {
  const last = events.findLast((event) => 'call' in event && event.call === call && event.kind !== 'fact.confirmed')
  const fix = waiting.length === 0 ? 'Nothing else of it waits.' : `These wait: ${idsOf(waiting)}`
  const answered = events.findLast((event) => isAnswer(event) && event.call === call)
  return new TaoError('approval', `${whyNot(run, call, answered ?? last)}`, { fix })
}

type Answer = Extract<Event, { kind: `approval.${string}` }>

const isAnswer = (event: Event): event is Event & Answer => event.kind.startsWith('approval.')

function whyNot(run: string, call: string, event: Event | undefined): string {
  const it = `Call ${call} of run ${run}`
  switch (event?.kind) {
    case undefined:
      return `Run ${run} has no call "${call}".`
    case 'approval.given':
      return `${it} was approved by ${event.by} at ${event.at}; an approval counts once.`
    case 'approval.denied':
      return `${it} was denied by ${event.by} at ${event.at}.`
    case 'approval.expired':
      return `${it} was not answered in time, and is not run any more.`
    case 'approval.superseded':
      return `${it} was given up when the user said something new.`
    default:
      return `${it} does not wait for an answer.`
  }
}

const idsOf = (waiting: readonly CallParked[]): string => waiting.map(({ call }) => call).join(', ')
