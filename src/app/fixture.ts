import { readFile } from 'node:fs/promises'
import { describeError, TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import { isJsonObject } from '../core/json.ts'
import { memoryJournal } from '../journal/memory.ts'
import { memoryStore } from '../journal/memory-store.ts'
import type { Replay } from '../run/replay.ts'
import type { ReplayWish } from './replay-run.ts'
import { readSettings } from './settings.ts'

/*
 * A run kept as a test: a file with its events, a line of JSON each. keep-fixture.ts makes them.
 */

/** The events of a fixture. Rejects with a `TaoError` for a file that is none. */
export async function readFixture(path: string): Promise<readonly Event[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw notFixture(path, describeError(error))
  })
  const events = text
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [parse(line, `${path}, line ${at + 1}`)]))
  if (events[0]?.kind !== 'run.started') throw notFixture(path, 'it does not begin with the start of a run')
  return events
}

/**
 * Drives a run that a command had started again, from its fixture. `difference` of the result is undefined when everything is as
 * recorded: that is what a test asserts. Rejects with a `TaoError`; for a run that a program had started use `replay`.
 */
export async function replayFixture(path: string, wish: ReplayWish = {}): Promise<Replay> {
  const events = await readFixture(path)
  const opened = { journal: memoryJournal(), store: memoryStore() }
  const { replayEvents } = await import('./replay-run.ts')
  return replayEvents({ run: events[0]?.run ?? '', events, opened, settings: readSettings() }, wish)
}

function parse(line: string, place: string): Event {
  try {
    const value: unknown = JSON.parse(line)
    if (isJsonObject(value) && typeof value.kind === 'string' && typeof value.seq === 'number')
      return value as unknown as Event
  } catch {
    // Said below.
  }
  throw notFixture(place, 'it is no event')
}

const notFixture = (path: string, why: string): TaoError =>
  new TaoError('fixture', `${path} is no fixture: ${why}.`, { fix: 'Make one with: tao fixture RUN --out FILE' })
