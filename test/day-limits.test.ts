import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import {
  type Approve,
  type Event,
  type Journal,
  memoryJournal,
  type RunTaskOptions,
  run,
  type ScriptReply,
  scripted,
  tool,
} from '../src/index.ts'
import { calling, saying } from './support/bench.ts'

const pay = tool({
  name: 'pay',
  description: 'Pays an amount in minor units.',
  input: z.object({ account: z.string(), to: z.string(), amount: z.number() }),
  effects: ['egress', 'irreversible'],
  run: ({ amount }) => `Paid ${amount}.`,
})

/** Asks always: 1,000 a day, two payments a run. */
const POLICY = {
  tools: {
    pay: {
      effects: ['egress', 'irreversible'],
      floor: 'ask',
      limits: { perRun: 2, perDay: 1000 },
      args: {
        account: { bind: 'account' },
        to: { role: 'sink', type: { id: 'payee' } },
        amount: { role: 'sink', type: { money: 1000 } },
      },
      asks: [{ args: { to: 'payee:1', amount: 5 } }],
      denies: [{ args: { to: 'payee:1', amount: 1001 } }],
    },
  },
}

const approve: Approve = () => ({ decision: 'approve', by: 'client' })
const paying = (amount: number | string): ScriptReply => calling('pay', { to: 'payee:1', amount })

/** What each payment was answered. */
async function pays(amounts: readonly (number | string)[], options: RunTaskOptions = {}): Promise<string[]> {
  const answers: string[] = []
  const onEvent = (event: Event) => {
    if (event.kind === 'call.finished' || event.kind === 'call.refused') answers.push(event.observation)
  }
  const model = scripted([...amounts.map(paying), saying('Done.')])
  const session = { account: 'KZ-1' }
  await run('Pay.', { model, tools: [pay], policy: POLICY, client: 'a', session, approve, onEvent, ...options })
  return answers
}

const OVER = (used: number) => `Not run: The policy allows 1000 a day, in minor units; ${used} are used.`

describe('limits of a tool', () => {
  test('a payment that fits exactly is made: a call is not counted against itself once it is approved', async () => {
    assert.deepEqual(await pays([600, 400], { journal: memoryJournal() }), ['Paid 600.', 'Paid 400.'])
  })

  test('calls in a run are counted', async () => {
    const [, second, third] = await pays([1, 1, 1], { journal: memoryJournal() })
    assert.equal(second, 'Paid 1.')
    assert.match(third ?? '', /allows 2 calls of this tool in a run/)
  })

  test('an amount counts however the model wrote it', async () => {
    const [first, second] = await pays(['900', 200], { journal: memoryJournal() })
    assert.deepEqual([first, second], ['Paid 900.', OVER(900)])
  })

  test('the day is counted over all runs of the client in the journal, and over nobody else’s', async () => {
    const journal = memoryJournal()
    assert.deepEqual(await pays([700], { journal }), ['Paid 700.'])
    assert.deepEqual(await pays([700], { journal, client: 'b' }), ['Paid 700.'])
    assert.deepEqual(await pays([400], { journal }), [OVER(700)])
    assert.deepEqual(await pays([300], { journal }), ['Paid 300.'])
  })

  test('what a person made of the amount is what counts', async () => {
    const journal = memoryJournal()
    const edit: Approve = () => ({ decision: 'approve', by: 'client', edited: { to: 'payee:1', amount: 100 } })
    assert.deepEqual(await pays([900], { journal, approve: edit }), ['Paid 100.'])
    assert.deepEqual(await pays([900], { journal }), ['Paid 900.'])
  })

  test('a payment of the day before does not count, also of a run without an end', async () => {
    const journal = memoryJournal()
    await pays([1000], { journal })
    const aDayLater = movedBack(journal)
    assert.deepEqual(await pays([1000], { journal: aDayLater }), ['Paid 1000.'])
  })

  test('two runs at once cannot both use up the day, even when a person approves both', async () => {
    const journal = memoryJournal()
    const both = Promise.withResolvers<void>()
    let waiting = 0
    const approveTogether: Approve = async () => {
      if (++waiting === 2) both.resolve()
      await both.promise
      return { decision: 'approve', by: 'client' }
    }
    const runs = await Promise.all([1, 2].map(() => pays([600], { journal, approve: approveTogether })))
    assert.ok(runs.flat().filter((answer) => answer === 'Paid 600.').length <= 1)
    assert.match(runs.flat().join(), /600 are used/)
    const paid = runs.flat().includes('Paid 600.') ? 600 : 0
    assert.deepEqual(
      await pays([1000 - paid], { journal }),
      [`Paid ${1000 - paid}.`],
      'what was refused is not counted',
    )
  })

  test('without a journal nobody knows what was used up today, and the tool is denied', async () => {
    assert.deepEqual(await pays([1]), ['Not run: This tool has limits, and what it has used is not known.'])
  })
})

/** The same journal a day later: everything in it is a day old, and no run has an end. */
function movedBack(journal: Journal): Journal {
  const back = <T extends { readonly at: string }>(each: T): T => ({
    ...each,
    at: new Date(Date.parse(each.at) - 24 * 60 * 60_000).toISOString(),
  })
  const own = memoryJournal()
  return {
    ...own,
    read: async (id) => [...(await journal.read(id)).map(back), ...(await own.read(id))],
    runs: async () => [...(await own.runs()), ...(await journal.runs()).map(({ end: _, ...each }) => back(each))],
  }
}
