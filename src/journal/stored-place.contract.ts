import assert from 'node:assert/strict'
import { openChain } from './chain.ts'
import { ended, finished, started } from './journal.contract.ts'
import type { Checkpoint, CheckpointLog, EventRecord, StoredJournal } from './stored-journal.ts'
import { findProblem, type Problem } from './verify.ts'

export interface OpenOptions {
  readonly key?: string
  readonly checkpoints?: CheckpointLog
  readonly onNotice?: (notice: string) => void
}

/** One database, as several processes have it open, and as somebody has it in hand who goes around Tao. */
export interface StoredPlace {
  open(options?: OpenOptions): Promise<StoredJournal>
  /** Replaces the events of a run; `chain` too, where it is given. */
  rewrite(run: string, records: readonly EventRecord[], chain?: string | null): Promise<void>
}

export const KEY = 'a key that is long enough'

/** Two runs of four events each, written with a key; `b` has ended. */
export async function written(openPlace: () => Promise<StoredPlace>, key: string | null = KEY) {
  const place = await openPlace()
  const checkpoints = memoryCheckpoints()
  const options = { checkpoints, ...(key === null ? {} : { key }) }
  const journal = await place.open(options)
  for (const event of [started('a', 0), finished('a', 1, 'one'), finished('a', 2, 'two'), finished('a', 3, 'three')])
    journal.append(event)
  for (const event of [
    started('b', 0, 'Do the other.'),
    finished('b', 1, 'eins'),
    finished('b', 2, 'other'),
    ended('b', 3),
  ])
    journal.append(event)
  await journal.flush('a', 'durable')
  await journal.close()
  const reader = await place.open(key === null ? {} : { key })
  const records = async (run: string): Promise<EventRecord[]> => [...((await reader.records(run))?.records ?? [])]
  return { place, reader, checkpoints, a: await records('a'), b: await records('b') }
}

/** The second place, as a list. */
function memoryCheckpoints(): CheckpointLog {
  const kept: Checkpoint[] = []
  return {
    add: (checkpoint) => void kept.push(checkpoint),
    addRemoval: (run) => void kept.splice(0, kept.length, ...kept.filter((each) => each.run !== run)),
    of: (run) => kept.filter((each) => each.run === run),
    close: () => undefined,
  }
}

interface Checked {
  readonly key?: string
  readonly checkpoints?: CheckpointLog
}

export async function problemOf(
  journal: StoredJournal,
  run: string,
  checked: Checked = {},
): Promise<Problem | undefined> {
  const records = await journal.records(run)
  assert.ok(records)
  const chain = openChain(checked.key)
  const linksElsewhere = async (): Promise<string[]> => {
    const runs = await journal.runs()
    return [...(await journal.links()), ...runs.map((each) => chain.start(each.run))]
  }
  return findProblem(records, { chain, checkpoints: checked.checkpoints?.of(run) ?? [], linksElsewhere })
}
