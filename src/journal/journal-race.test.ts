import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { finished } from './journal.contract.ts'
import type { Journal } from './journal.ts'
import { openPostgresJournal } from './postgres.ts'
import { openSqliteJournal } from './sqlite.ts'

const root = await mkdtemp(join(tmpdir(), 'tao-race-'))
const server = await startPostgres()
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})

const PLACES = 200

/** Another process that tries to write every place of a run, and says at which it was the one. */
const RACER = `
  import { openSqliteJournal } from ${JSON.stringify(import.meta.resolve('./sqlite.ts'))}
  import { openPostgresJournal } from ${JSON.stringify(import.meta.resolve('./postgres.ts'))}
  import { finished } from ${JSON.stringify(import.meta.resolve('./journal.contract.ts'))}
  const [, place, name] = process.argv
  const journal = place.startsWith('postgres:') ? await openPostgresJournal(place) : openSqliteJournal(place)
  const won = []
  for (let seq = (await journal.read('a')).length; seq < ${PLACES}; ) {
    try {
      journal.append(finished('a', seq, name))
      await journal.flush('a', 'committed')
      won.push(seq++)
      // Whoever holds its pace writes alone; let the others come up.
      if (seq % 3 === 0) await new Promise((done) => setTimeout(done, 1))
    } catch (error) {
      if (error.code !== 'fence') throw error
      seq = (await journal.read('a')).length
    }
  }
  console.log(JSON.stringify(won))
  await journal.close().catch((error) => { if (error.code !== 'fence') throw error })
`

async function race(place: string, name: string): Promise<number[]> {
  const argv = ['--input-type=module', '-e', RACER, place, name]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  assert.equal(stderr, '')
  return JSON.parse(stdout) as number[]
}

/** Every place has one winner, and what stands there is the winner's. */
async function oneWinnerEach(place: string, journal: Journal, racers: number): Promise<void> {
  const names = Array.from({ length: racers }, (_, index) => `racer ${index}`)
  const wins = await Promise.all(names.map((name) => race(place, name)))
  const winners = wins.flatMap((won, index) => won.map((seq) => [seq, names[index]] as const))
  assert.deepEqual(
    winners.map(([seq]) => seq).sort((a, b) => a - b),
    Array.from({ length: PLACES }, (_, seq) => seq),
  )
  const events = await journal.read('a')
  assert.deepEqual(
    winners.sort(([a], [b]) => a - b).map(([seq, name]) => finished('a', seq, name)),
    events,
  )
  await journal.close()
}

// https://github.com/openma-ai/deepseek-harness-acp/issues/17
for (const racers of [2, 8])
  test(`${racers} processes race for ${PLACES} places of a run in SQLite: one winner each`, async () => {
    const path = join(root, `${racers}.sqlite`)
    await oneWinnerEach(path, openSqliteJournal(path), racers)
  })

test(`8 processes race for ${PLACES} places of a run in PostgreSQL: one winner each`, async () => {
  const address = await server.freshAddress()
  await oneWinnerEach(address, await openPostgresJournal(address), 8)
})
