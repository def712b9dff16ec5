import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { calling, callOf, plainTool, runScript, saying } from '../support/bench.ts'

const look = plainTool('look', 'read', () => 'a “quoted” line\n')
const script = [
  { text: 'First.', calls: [callOf('look', { key: 'a' })] },
  { calls: [callOf('look', ' { "odd" :  "spacing" } '), callOf('nothing'), callOf('look')] },
  { text: '', finish: 'stop' as const },
  saying('done'),
]

for (const stream of [false, true]) {
  test(`each request extends the one before byte for byte (${stream ? 'streamed' : 'whole'})`, async () => {
    const trace = await runScript({ script, tools: [look], stream })
    const { requests } = trace.model
    assert.equal(requests.length, 4)
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1]
      if (before === undefined) continue
      assert.ok(request.prefixBytes > before.bytes.length - 40, 'all but the tail is shared')
      const shared = Buffer.from(before.bytes).subarray(0, request.prefixBytes)
      assert.ok(shared.equals(Buffer.from(request.bytes).subarray(0, request.prefixBytes)))
    }
  })
}

test('what is recorded of a request is true of its bytes', async () => {
  const trace = await runScript({ script, tools: [look] })
  for (const [index, sent] of trace.all('request.sent').entries()) {
    const bytes = trace.model.requests[index]?.bytes ?? new Uint8Array()
    assert.equal(sent.bytes, bytes.length)
    assert.equal(sent.sha256, createHash('sha256').update(bytes).digest('hex'))
    JSON.parse(Buffer.from(bytes).toString())
  }
})

test('arguments go back to the model as it wrote them, byte for byte', async () => {
  const odd = ' { "odd" :  "spacing" } '
  const trace = await runScript({ script: [calling('look', odd), saying('done')], tools: [look] })
  const { messages } = JSON.parse(Buffer.from(trace.model.requests[1]?.bytes ?? '').toString())
  assert.equal(messages[2].tool_calls[0].function.arguments, odd)
})

test('two runs of the same task send the same bytes', async () => {
  const hashes = async () =>
    (await runScript({ script, tools: [look] })).all('request.sent').map(({ sha256 }) => sha256)
  assert.deepEqual(await hashes(), await hashes())
})
