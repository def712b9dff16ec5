import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callOf, plainTool, runScript, saying, type Trace } from '../support/bench.ts'

const look = plainTool('look', 'read', () => 'seen')
const script = [{ text: 'Looking.', calls: [callOf('look')] }, saying('It is there.')]

/** Events without what differs by nature: when, how long, and the bytes of a head that says `stream`. */
const bare = ({ events }: Trace) =>
  JSON.parse(
    JSON.stringify(events, (key, value) =>
      /^at$|Ms$|sha256|^bytes$|prefixBytes|^stream$/.test(key) ? undefined : value,
    ),
  )

test('a streamed run and a whole one record the same events', async () => {
  const whole = await runScript({ script, tools: [look] })
  const streamed = await runScript({ script, tools: [look], stream: true })
  assert.deepEqual(bare(streamed), bare(whole))
})
