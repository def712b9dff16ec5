import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Event } from '../../src/core/event.ts'
import { tempFolder } from '../../src/sandbox/sandbox.contract.ts'
import { openEffectService } from './effect-service.ts'
import { eventsOf, type KillPoint, type Lives, live } from './lives.ts'

const MORTAL = join(import.meta.dirname, 'mortal-run.ts')

/** How one run went, however often its process was killed. */
export interface Course extends Lives {
  readonly events: readonly Event[]
  /** What the service was made to do. */
  readonly done: Readonly<Record<string, number>>
}

/** Runs the mortal run to its end, whatever kills its process. */
export async function liveThrough(points: readonly KillPoint[]): Promise<Course> {
  await using service = await openEffectService()
  await using folder = tempFolder()
  const path = join(folder.path, 'journal.sqlite')
  const lives = await live(points, async () => [MORTAL, path, service.url])
  return { ...lives, events: await eventsOf(path), done: service.done() }
}

/**
 * What is wrong with a run that was killed, beside one that was not; empty when all is well. A call whose outcome is reported
 * as unknown may have taken effect or not, once at most; everything else is the same.
 */
export function faultsOf(course: Course, whole: Course): string[] {
  const unknown = unknownCalls(course)
  const [here, there] = [essenceOf(course), essenceOf(whole)]
  const faults = (['status', 'rejected', 'replies'] as const).flatMap((name) =>
    isDeepStrictEqual(here[name], there[name]) ? [] : [`${name}: ${JSON.stringify(here[name])}`],
  )
  for (const [id, { name, what, observation }] of there.calls) {
    const [seen, times] = [here.calls.get(id)?.observation, course.done[what] ?? 0]
    if (unknown.has(id)) faults.push(...(times > 1 ? [`${what} was done ${times} times`] : []))
    else if (seen !== observation) faults.push(`${name} ${id} was answered: ${seen}`)
    else if (times !== (whole.done[what] ?? 0)) faults.push(`${what} was done ${times} times`)
  }
  return faults
}

function essenceOf({ events }: Course) {
  const last = events.at(-1)
  const asked = events.flatMap((event) => (event.kind === 'model.replied' ? event.calls : []))
  const answers = new Map(
    events.flatMap((event) => ('observation' in event && 'call' in event ? [[event.call, event.observation]] : [])),
  )
  return {
    status: last?.kind === 'run.ended' ? last.outcome.status : 'no end',
    rejected: events.filter(({ kind }) => kind === 'claim.rejected').length,
    replies: events.flatMap((event) => (event.kind === 'model.replied' ? [[event.text, event.calls]] : [])),
    calls: new Map(
      asked.map(({ id, name, arguments: args }) => [id, { name, what: whatIn(args), observation: answers.get(id) }]),
    ),
  }
}

const whatIn = (args: string): string => (JSON.parse(args) as { what: string }).what

/** The calls that the record says nobody knows the outcome of. */
export const unknownCalls = ({ events }: Pick<Course, 'events'>): Set<string> =>
  new Set(
    events.flatMap((event) =>
      (event.kind === 'call.finished' || event.kind === 'call.parked') && event.outcomeUnknown ? [event.call] : [],
    ),
  )
