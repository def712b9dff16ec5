import { readFileSync, readlinkSync } from 'node:fs'
import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import type { Worker } from '../core/worker.ts'
import { identify, isAlive } from '../sandbox/process.ts'

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
 * Throws a `TaoError` while another process of this machine works on a run: going on with it would end that one's work. What
 * runs elsewhere is not seen; there the fence decides.
 */
export function expectNobodyElse(run: string, events: readonly Event[]): void {
  const last = events.at(-1)
  if (last === undefined || RESTS.has(last.kind)) return
  const began = events.findLast(({ kind }) => kind === 'run.started' || kind === 'run.resumed')
  const worker = began !== undefined && 'worker' in began ? began.worker : undefined
  if (worker === undefined || worker.place !== thisWorker()?.place) return
  if (worker.pid === process.pid || !isAlive(worker)) return
  throw new TaoError('run', `Run ${run} is being worked on by process ${worker.pid} of this machine.`, {
    fix: `Wait until it has ended, or end it first: kill ${worker.pid}`,
  })
}
