import { fixtureOf, writeFixture } from '../app/keep-fixture.ts'
import { readSettings } from '../app/settings.ts'
import { count } from './amounts.ts'
import type { FixtureFlags } from './flags.ts'
import { jsonLine } from './printable.ts'

/** Takes a run out as a test fixture: to a file, or to standard output. */
export async function fixtureCommand(wanted: string, { out, json }: FixtureFlags): Promise<void> {
  const fixture = await fixtureOf(readSettings(), wanted)
  const { run, lines } = fixture
  if (out === undefined) return void process.stdout.write(lines.map((line) => `${line}\n`).join(''))
  await writeFixture(fixture, out)
  const said = { run, events: lines.length, file: out }
  process.stdout.write(
    json ? `${jsonLine(said)}\n` : `${count(lines.length, 'event')} of run ${run} written to ${out}.\n`,
  )
}
