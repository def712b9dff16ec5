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

/** What is wrong with a run that was killed, beside one that was not; empty when all is well. */
export function exampleFaults({ events }: ExampleCourse, whole: ExampleCourse): string[] {
  const [here, there] = [essenceOf(events), essenceOf(whole.events)]
  const faults = here.status === there.status ? [] : [`it ended as ${here.status}`]
  if (here.answer !== there.answer) faults.push(`it answered: ${here.answer}`)
  for (const [call, observation] of there.observations) {
    const seen = here.observations.get(call)
    if (seen !== observation && !here.unknown.has(call)) faults.push(`${call} was answered: ${seen}`)
  }
  return faults
}

function essenceOf(events: readonly Event[]) {
  const last = events.at(-1)
  const finished = events.filter((event) => event.kind === 'call.finished')
  return {
    status: last?.kind === 'run.ended' ? last.outcome.status : 'no end',
    answer: last?.kind === 'run.ended' ? last.outcome.answer : undefined,
    observations: new Map(finished.map(({ call, observation }) => [call, withoutTimes(observation)])),
    unknown: new Set(finished.flatMap(({ call, outcomeUnknown }) => (outcomeUnknown ? [call] : []))),
  }
}

/** Test runners tell how long they took. */
const withoutTimes = (text: string): string =>
  text.replaceAll(/(duration_ms:? ?|in )[\d.]+/g, '$1…').replaceAll(/\(\d+ms\)|[\d.]+ ?s\b/g, '…')
