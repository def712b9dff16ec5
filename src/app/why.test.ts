import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BenchOptions, calling, plainTool, runScript, saying } from '../../test/support/bench.ts'
import type { Criterion } from '../judge/criterion.ts'
import { grounded } from '../judge/grounded.ts'
import { explainEnding } from './why.ts'

const look = plainTool('look', 'read', () => '42 rows')
const never: Criterion = { name: 'it is fixed', check: async () => ({ holds: false, detail: 'exit 1' }) }

async function why(options: BenchOptions): Promise<string> {
  const { events } = await runScript({ tools: [look], ...options })
  return explainEnding(events) ?? 'nothing'
}

test('a run that ended well is not explained', async () => {
  assert.equal(await why({ script: [saying('42')] }), 'nothing')
})

test('no progress is told with the step of the first repetition', async () => {
  const told = await why({ script: () => calling('look'), limits: { repeats: 3 } })
  assert.match(
    told,
    /^The run ended as limit at step 4: .* It left the path at step 2: it made the call look \{\} again/,
  )
})

test('claims without proof are told with the step of the first, and with what was missing at the last', async () => {
  const told = await why({
    script: [calling('look'), saying('Done.'), saying('Done!')],
    criteria: [never],
    limits: { rejectedClaims: 2 },
  })
  assert.match(told, /It left the path at step 2: it said that it was done, without "it is fixed"\./)
  assert.match(told, /Missing at its last claim: it is fixed \(exit 1\)\./)
})

test('right data told wrongly is told as such', async () => {
  const told = await why({
    script: [calling('look'), saying('43 rows.')],
    criteria: [grounded()],
    limits: { rejectedClaims: 1 },
  })
  assert.match(told, /the answer tells what was never observed \(number "43"/)
})

test('wrong tools and wrong arguments are told with their steps', async () => {
  const script = [calling('guess'), calling('look', '{"a'), calling('guess')]
  const told = await why({ script, limits: { refusals: 2 } })
  assert.match(
    told,
    /^The run ended as blocked at step 3: .* It left the path at step 1: it called guess, which there is not\./,
  )
  assert.match(told, /step 2: it called look with wrong arguments/)
})

test('replies that cannot be read, a model that fails and a budget that is used up are told apart', async () => {
  const cut = { text: 'Half', finish: 'length' as const }
  assert.match(
    await why({ script: () => cut, limits: { malformedReplies: 2 } }),
    /left the path at step 1: its reply could not be read/,
  )
  const refused = [{ error: { status: 401, body: 'no key' } }]
  assert.match(await why({ script: refused }), /left the path at step 1: the model could not be asked/)
  assert.match(
    await why({ script: () => calling('look'), limits: { modelCalls: 1 } }),
    /budget was used up: modelCalls 1 of 1\./,
  )
})
