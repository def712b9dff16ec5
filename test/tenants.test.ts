import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Bank } from '../examples/04-bank-assistant/bank.ts'
import { foreignWords } from '../examples/04-bank-assistant/foreign-words.ts'
import { CLIENTS } from '../examples/04-bank-assistant/made-up-data.ts'
import { bankTools } from '../examples/04-bank-assistant/tools.ts'
import { memoryJournal, resume, run, type ScriptCall, scripted, type Tool } from '../src/index.ts'
import { argumentText } from '../src/model/script.ts'
import { calling, saying } from './support/bench.ts'
import { Seeded } from './support/seeded.ts'
import { callsWith, Turns, type Visited, visit } from './support/two-clients.ts'

/** What the bank calls the things of the other client, and names that only the other client's things have. */
function foreignIds(client: string): string[] {
  const others = CLIENTS.filter(({ id }) => id !== client)
  const own = CLIENTS.find(({ id }) => id === client)
  const ids = others.flatMap(({ id, account, cards, payees, transactions }) => [
    ...[id, account, ...cards],
    ...[...payees, ...transactions].map((each) => each.id),
  ])
  const handles = others.flatMap(({ cards, payees, transactions }) => [
    ...cards.map((_, at) => `card:${at + 1}`).slice(own?.cards.length),
    ...payees.map((_, at) => `payee:${at + 1}`).slice(own?.payees.length),
    ...transactions.map((_, at) => `transaction:${at + 1}`).slice(own?.transactions.length),
  ])
  return [...ids, ...handles]
}

const ATTEMPTS = new Map(CLIENTS.map(({ id }) => [id, callsWith(foreignIds(id))]))
const FOREIGN = new Map(CLIENTS.map(({ id }) => [id, foreignWords(id)]))

const OWN: ScriptCall = { name: 'txn_search', arguments: { from: '2026-10-01', to: '2026-10-31' } }
const ATTEMPTS_A_RUN = 2

/** Two runs at once, each for one client and against the other, over the same tools. */
async function interleave(seed: number, tools: readonly Tool[]): Promise<Visited[]> {
  const seeded = new Seeded(seed)
  const turns = new Turns(seeded)
  const journal = memoryJournal()
  return turns.drive(
    CLIENTS.map(({ id: client, account }) => {
      const attempts = ATTEMPTS.get(client) ?? []
      const calls = [OWN, ...Array.from({ length: ATTEMPTS_A_RUN }, () => seeded.pick(attempts))]
      return visit({ client, account, tools, calls, journal, turns })
    }),
  )
}

const leaksIn = ({ client, told }: Visited): string[] =>
  (FOREIGN.get(client) ?? []).filter((word) => told.includes(word))

const callsIn = ({ client, events }: Visited): string[] =>
  events.flatMap((event) =>
    event.kind === 'model.replied' ? event.calls.map(({ name, arguments: given }) => `${client} ${name} ${given}`) : [],
  )

describe('two clients in one process', () => {
  test('1,000 interleavings, every tool, every foreign id: no byte of the other client is ever told', async () => {
    const made = new Set<string>()
    const tools = bankTools(new Bank())
    for (let seed = 1; seed <= 1000; seed++)
      for (const visited of await interleave(seed, tools)) {
        assert.deepEqual(leaksIn(visited), [], `seed ${seed}, ${visited.client}`)
        assert.match(visited.told, /"transaction":"transaction:2"/, 'its own are told')
        for (const call of callsIn(visited)) made.add(call)
      }
    const missed = [...ATTEMPTS].flatMap(([client, calls]) =>
      calls.filter((call) => !made.has(`${client} ${call.name} ${argumentText(call)}`)),
    )
    assert.deepEqual(missed, [], 'every attempt was made')
  })

  test('the same interleavings find a tool that remembers a client between calls', async () => {
    const tools = forgetfulTools(new Bank())
    const leaks: string[] = []
    for (let seed = 1; seed <= 20; seed++) leaks.push(...(await interleave(seed, tools)).flatMap(leaksIn))
    assert.notEqual(leaks.length, 0)
  })

  test('what belongs to somebody else and what does not exist get the same answer, to the byte', async () => {
    for (const { id: client, account } of CLIENTS) {
      const absent = await answersTo('NO-SUCH-THING', client, account)
      for (const foreign of foreignIds(client))
        assert.deepEqual(await answersTo(foreign, client, account), absent, foreign)
    }
  })

  test('a run goes on for the client it was started for, and for nobody else', async () => {
    const journal = memoryJournal()
    const limits = { modelCalls: 1 }
    const { run: id } = await run('Look.', { model: scripted([calling('none')]), client: 'a', journal, limits })
    const model = scripted([saying('Done.')])
    const recorded = (await journal.read(id)).length
    for (const options of [{ client: 'b' }, {}])
      await assert.rejects(resume(id, { model, journal, limits: { modelCalls: 5 }, ...options }), /another client/)
    assert.equal((await journal.read(id)).length, recorded)
    assert.equal((await resume(id, { model, journal, client: 'a', limits: { modelCalls: 5 } })).status, 'answered')
  })
})

/** What every call is answered that has this value in it, in a bank where nothing has happened yet. */
async function answersTo(value: string, client: string, account: string): Promise<string[]> {
  const turns = new Turns(new Seeded(1))
  const tools = bankTools(new Bank())
  const calls = callsWith([value])
  const [visited] = await turns.drive([visit({ client, account, tools, calls, journal: memoryJournal(), turns })])
  return (visited?.events ?? []).flatMap((event) =>
    event.kind === 'call.finished' || event.kind === 'call.refused' ? [event.observation] : [],
  )
}

/** Shares what only one call may know. */
function forgetfulTools(bank: Bank): readonly Tool[] {
  let last = ''
  return bankTools(bank).map((each) => ({
    ...each,
    execute: async (input, context) => {
      const given = input as { readonly client_id?: string }
      last = given.client_id ?? last
      await new Promise(setImmediate)
      return each.execute({ ...given, client_id: last }, context)
    },
  }))
}
