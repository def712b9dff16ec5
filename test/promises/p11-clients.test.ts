import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject } from '../../src/core/json.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { type AskingOptions, openAsking, takeUpAsking } from '../support/asking.ts'
import { calling, plainTool, saying } from '../support/bench.ts'

interface Seen {
  readonly input: JsonObject
  readonly client: string
}

function accountTool(seen: Seen[]): Tool {
  const tool = plainTool('balance', 'read', (input, { client }) => {
    seen.push({ input, client })
    return 'ok'
  })
  const properties = { account: { type: 'string' }, day: { type: 'string' } }
  const parameters = { type: 'object', properties, required: ['account', 'day'] }
  return { ...tool, definition: { ...tool.definition, parameters } }
}

const optionsFor = (seen: Seen[], day: JsonObject): AskingOptions => ({
  script: [calling('balance', day), saying('Done.')],
  tools: [accountTool(seen)],
  policy: {
    tools: {
      balance: {
        effects: ['read'],
        args: { account: { bind: 'account' }, day: { role: 'payload', type: { text: 20 } } },
        runs: [{ args: { day: '2026-10-03' } }],
        denies: [{ args: { account: 'KZ2', day: '2026-10-03' } }],
      },
    },
  },
  client: 'alice',
  session: { account: 'KZ1' },
})

test('what the session sets is not in what the model is told, and is what the tool is given', async () => {
  const seen: Seen[] = []
  const asking = await openAsking(optionsFor(seen, { day: '2026-10-03' }))
  await asking.go()
  assert.deepEqual(seen, [{ input: { account: 'KZ1', day: '2026-10-03' }, client: 'alice' }])
  const told = JSON.stringify(asking.model.requests[0]?.head.tools)
  assert.match(told, /"day"/)
  assert.doesNotMatch(told, /account/)
})

test('whatever a model writes, no tool is given another account or client, and the attempt is on record', async () => {
  const account = fc.oneof(fc.string(), fc.constant('KZ2'), fc.constant(null), fc.constant({ $ne: 1 }))
  await fc.assert(
    fc.asyncProperty(account, async (written) => {
      const seen: Seen[] = []
      const asking = await openAsking(optionsFor(seen, { day: '2026-10-03', account: written as string }))
      await asking.go()
      assert.deepEqual(seen, [])
      assert.deepEqual(
        (await asking.all('call.refused')).map(({ cause }) => cause),
        ['not-permitted'],
      )
    }),
    { numRuns: 50 },
  )
})

test('a run stays the run of its client, whoever takes it up', async () => {
  const seen: Seen[] = []
  const options = optionsFor(seen, { day: '2026-10-03' })
  const begun = await openAsking(options)
  const taken = await takeUpAsking(await begun.events(), { ...options, client: 'mallory' })
  await taken.go()
  assert.equal(taken.run.state.started?.client, 'alice')
  assert.deepEqual(
    seen.map(({ client }) => client),
    ['alice'],
  )
})

test('a session that lacks what a policy binds gives the model nothing to fill it with', async () => {
  const seen: Seen[] = []
  const asking = await openAsking({ ...optionsFor(seen, { day: '2026-10-03' }), session: {} })
  await asking.go()
  assert.deepEqual(seen, [])
  assert.match((await asking.all('call.refused'))[0]?.observation ?? '', /the session has no account/)
})
