import { readFileSync, readlinkSync } from 'node:fs'
import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import type { Worker } from '../core/worker.ts'
import { identify, isAlive } from '../sandbox/process.ts'
import type { Settings } from './settings.ts'
import { lookAtEach } from './stored-runs.ts'

let known: Worker | undefined

/** This process; undefined on a system that does not say it. */
export function thisWorker(): Worker | undefined {
  known ??= findWorker()
  return known
}

function findWorker(): Worker | undefined {
  const identity = identify(process.pid)
  const place = placeOfNumbers()
  return identity === undefined || place === undefined ? undefined : { place, ...identity }
}

function placeOfNumbers(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

const RESTS: ReadonlySet<Event['kind']> = new Set(['run.ended', 'run.parked', 'call.parked'])

/**
 * The living process of this machine that works on a run; undefined where there is none, or it is not known. What runs elsewhere
 * is not seen.
 */
function workerOf(events: readonly Event[]): Worker | undefined {
  const last = events.at(-1)
  if (last === undefined || RESTS.has(last.kind)) return undefined
  const began = events.findLast((event) => event.kind === 'run.started' || event.kind === 'run.resumed')
  const worker = began?.worker
  return worker !== undefined && worker.place === thisWorker()?.place && isAlive(worker) ? worker : undefined
}

/** Throws a `TaoError` while another process works on a run: going on with it would end that one's work. */
export function expectNobodyElse(run: string, events: readonly Event[]): void {
  const worker = workerOf(events)
  if (worker === undefined || worker.pid === process.pid) return
  throw new TaoError('run', `Run ${run} is being worked on by process ${worker.pid} of this machine.`, {
    fix: `Wait until it has ended, or end it first: kill ${worker.pid}`,
  })
}

/** The processes that work on these runs now, by run; undefined for one that nobody works on, or that cannot be read. */
export const workersOf = (
  settings: Settings,
  runs: readonly string[],
): Promise<ReadonlyMap<string, Worker | undefined>> => lookAtEach(settings, runs, workerOf)
