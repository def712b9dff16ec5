import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Event } from '../core/event.ts'
import type { Worker } from '../core/worker.ts'
import { identify } from '../sandbox/process.ts'
import { expectNobodyElse, thisWorker } from './worker.ts'

const eventsBy = (worker: Worker | undefined, last: object = { kind: 'request.sent', step: 1 }): Event[] =>
  [{ kind: 'run.started', ...(worker === undefined ? {} : { worker }) }, last].map(
    (fact, seq) => ({ run: 'r', seq, at: '', ...fact }) as unknown as Event,
  )

test('a run that another process of this machine works on is left to it, until that has ended or rests', async () => {
  const other = spawn('sleep', ['60'])
  const { pid = 0 } = other
  const own = thisWorker()
  const identity = identify(pid)
  assert.ok(own !== undefined && identity !== undefined)
  const worker = { ...own, ...identity }
  const refused = { code: 'run', message: new RegExp(`worked on by process ${pid} of this machine`) }
  assert.throws(() => expectNobodyElse('r', eventsBy(worker)), refused)
  for (const kind of ['run.ended', 'run.parked', 'call.parked']) expectNobodyElse('r', eventsBy(worker, { kind }))
  expectNobodyElse('r', eventsBy({ ...worker, startTime: '1' }))
  expectNobodyElse('r', eventsBy({ ...worker, place: 'another machine' }))
  other.kill()
  await once(other, 'exit')
  expectNobodyElse('r', eventsBy(worker))
})

test('a process goes on with its own run, and with one that does not say who worked on it', () => {
  expectNobodyElse('r', eventsBy(thisWorker()))
  expectNobodyElse('r', eventsBy(undefined))
  expectNobodyElse('r', [])
})
