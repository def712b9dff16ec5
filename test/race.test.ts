import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import {
  FenceError,
  openSqliteJournal,
  type ResumeOptions,
  resume,
  run,
  scripted,
  TaoError,
  tool,
} from '../src/index.ts'
import { tempFolder } from '../src/sandbox/sandbox.contract.ts'
import { calling, saying } from './support/bench.ts'

/*
 * Any number of processes may try to go on with a run: one does, the others stop without an effect. Each racer here has a
 * connection of its own to the journal's file, as a process has; src/journal/journal-race.test.ts does it with processes.
 */

const policy = {
  tools: {
    pay: {
      effects: ['irreversible'],
      floor: 'ask',
      args: { what: { role: 'payload', type: { text: 40 }, free: true } },
      asks: [{ args: { what: 'x' } }],
      denies: [{ args: { what: 5 } }],
    },
  },
}

async function race(racers: number): Promise<{ readonly winners: number; readonly effects: number }> {
  await using folder = tempFolder()
  const path = join(folder.path, 'journal.sqlite')
  let effects = 0
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({ what: z.string() }),
    effects: 'irreversible',
    run: () => {
      effects += 1
    },
  })
  const script = [calling('pay', { what: 'x' }), saying('Paid.')]
  const common = { tools: [pay], policy, approvalKey: 'a key that all of them have' }
  const first = openSqliteJournal(path)
  const waits = run('Pay.', { ...common, journal: first, model: scripted(script), approve: () => undefined })
  await assert.rejects(waits, (error) => error instanceof TaoError && error.code === 'waiting')
  const id = (await first.runs())[0]?.run ?? ''
  await first.close()

  const goOn = async (): Promise<boolean> => {
    const journal = openSqliteJournal(path)
    const options: ResumeOptions = {
      ...common,
      journal,
      model: scripted(script, { from: 1 }),
      approve: () => ({ decision: 'approve', by: 'ada' }),
    }
    try {
      return (await resume(id, options)).status === 'answered'
    } catch (error) {
      // Whoever comes when all is done finds nothing left to do.
      if (error instanceof FenceError || (error instanceof TaoError && error.code === 'run')) return false
      throw error
    } finally {
      await journal.close().catch(() => {})
    }
  }
  const won = await Promise.all(Array.from({ length: racers }, goOn))
  return { winners: won.filter(Boolean).length, effects }
}

for (const [racers, rounds] of [
  [2, 40],
  [8, 10],
] as const)
  test(`of ${racers} that go on with one run at once, one does, and its effect happens once`, async () => {
    for (let round = 0; round < rounds; round++) assert.deepEqual(await race(racers), { winners: 1, effects: 1 })
  })
