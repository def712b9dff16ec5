import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Event } from '../../src/core/event.ts'
import { tempFolder } from '../../src/sandbox/sandbox.contract.ts'
import { eventsOf, type KillPoint, type Lives, live } from './lives.ts'

const ROOT = join(import.meta.dirname, '../..')
const MORTAL = join(import.meta.dirname, 'mortal-example.ts')
const TAO = join(ROOT, 'src/cli/main.ts')

/** Examples that are task files run as commands; the others are programs, whose options mortal-example.ts takes. */
const TASKS: Readonly<Record<string, string>> = {
  '01': join(ROOT, 'examples/01-fix-failing-test/fix.task.yaml'),
  '02': join(ROOT, 'examples/02-deep-research/research.task.yaml'),
}
export const EXAMPLES = ['01', '02', '03', '04', '05'] as const

export interface ExampleCourse extends Lives {
  readonly events: readonly Event[]
}

/** Runs an example to its end, whatever kills its process. */
export async function liveExample(name: string, points: readonly KillPoint[]): Promise<ExampleCourse> {
  await using folder = tempFolder()
  const path = join(folder.path, 'journal.sqlite')
  const next = async () => {
    const events = existsSync(path) ? await eventsOf(path) : []
    if (events.at(-1)?.kind === 'run.ended') return undefined
    const task = TASKS[name]
    if (task === undefined) return [MORTAL, name, folder.path]
    return [TAO, ...(events.length === 0 ? ['run', task] : ['resume', 'latest'])]
  }
  const lives = await live(points, next, { TAO_HOME: folder.path, DEEPSEEK_API_KEY: '', OPENAI_API_KEY: '' })
  return { ...lives, events: await eventsOf(path) }
}

/**
 * What is wrong with a run that was killed, beside one that was not; empty when all is well. Where the outcome of a call is
 * reported as unknown, the model may look again; what a call said may be lost where its effect is seen; everything else was
 * seen in the same order.
 */
export function exampleFaults({ events }: ExampleCourse, whole: ExampleCourse): string[] {
  const [here, there] = [essenceOf(events), essenceOf(whole.events)]
  const faults = here.status === there.status ? [] : [`it ended as ${here.status}`]
  if (here.answer !== there.answer) faults.push(`it answered: ${here.answer}`)
  let at = 0
  for (const wanted of there.seen) {
    const found = here.seen.findIndex((seen, i) => i >= at && (seen === wanted || isLost(seen, wanted)))
    if (found === -1) faults.push(`it never saw: ${wanted}`)
    else at = found + 1
  }
  if (here.unknown === 0 && here.seen.length !== there.seen.length)
    faults.push(`it saw ${here.seen.length} observations instead of ${there.seen.length}`)
  return faults
}

const isLost = (seen: string, wanted: string): boolean =>
  seen.includes('It took effect; what it said is lost') && seen.split(':')[0] === wanted.split(':')[0]

function essenceOf(events: readonly Event[]) {
  const last = events.at(-1)
  const finished = events.flatMap((event) => (event.kind === 'call.finished' ? [event] : []))
  const known = finished.filter(({ outcomeUnknown }) => outcomeUnknown !== true)
  return {
    status: last?.kind === 'run.ended' ? last.outcome.status : 'no end',
    answer: last?.kind === 'run.ended' ? last.outcome.answer : undefined,
    seen: known.map(({ name, observation }) => `${name}: ${withoutTimes(observation)}`),
    unknown: finished.length - known.length,
  }
}

/** Test runners tell how long they took. */
const withoutTimes = (text: string): string =>
  text.replaceAll(/(duration_ms:? ?|in )[\d.]+/g, '$1…').replaceAll(/\(\d+ms\)|[\d.]+ ?s\b/g, '…')
