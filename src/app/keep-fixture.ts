import { writeFile } from 'node:fs/promises'
import { describeError, TaoError } from '../core/error.ts'
import { eventLine } from '../core/event.ts'
import { maskerForScreen } from './secrets.ts'
import type { Settings } from './settings.ts'
import { loadRun } from './stored-runs.ts'

/** A run as a test keeps it. What is secret here was masked when it was recorded, and is masked once more. */
export interface Fixture {
  readonly run: string
  readonly lines: readonly string[]
}

/** A run of the journal as the lines of a fixture. Rejects with a `TaoError`. */
export async function fixtureOf(settings: Settings, wanted: string): Promise<Fixture> {
  const { run, events, started } = await loadRun(settings, wanted)
  const masker = maskerForScreen(settings, started)
  return { run, lines: events.map((event) => eventLine(masker?.mask(event) ?? event)) }
}

/** Rejects with a `TaoError` when the file is there already, or cannot be written. */
export async function writeFixture({ lines }: Fixture, path: string): Promise<void> {
  await writeFile(path, lines.map((line) => `${line}\n`).join(''), { flag: 'wx', mode: 0o644 }).catch(
    (error: unknown) => {
      throw new TaoError('fixture', `${path} could not be written: ${describeError(error)}.`, {
        fix: 'Name a file that is not there yet.',
      })
    },
  )
}
