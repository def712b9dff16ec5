import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { streamedChunks } from '../../test/support/chat-wire.ts'
import type { Delta } from '../core/request.ts'
import { ChatAnswer } from './chat-answer.ts'
import type { ReplyParts } from './chat-choice.ts'

const READING = { asked: { name: 'test/x', keyVariable: undefined, baseUrl: 'http://127.0.0.1' }, price: undefined }

interface Heard {
  readonly reply: ReplyParts
  readonly deltas: readonly Delta[]
}

function hear(chunks: readonly Buffer[]): Heard {
  const deltas: Delta[] = []
  const answer = new ChatAnswer({ reading: READING, stream: true, tell: (delta) => deltas.push(delta) })
  answer.onStart(200, { 'content-type': 'text/event-stream' })
  for (const chunk of chunks) if (answer.onData(chunk) === 'done') break
  const { firstByteMs, ...reply } = answer.onEnd()
  return { reply, deltas }
}

const REPLY = {
  text: 'Größe 😀: 水の🇯🇵, é and a line\nend',
  reasoning: 'über 🧵',
  usage: { inputFresh: 4, inputCached: 2, output: 3 },
}
const CALLS = [
  { id: 'c1', name: 'read_file', arguments: '{"path":"größe 😀.txt","n":[1,2]}' },
  { id: undefined, name: 'bash', arguments: '{"command":"echo \\"😀\\""}' },
]
const EXPECTED: ReplyParts = {
  text: REPLY.text,
  reasoning: REPLY.reasoning,
  calls: [CALLS[0], { name: 'bash', arguments: CALLS[1]?.arguments ?? '' }] as ReplyParts['calls'],
  finish: 'calls',
  usage: { inputFresh: 4, inputCached: 2, inputCacheWritten: 0, output: 3, reasoning: 0 },
}

const events = streamedChunks(REPLY, CALLS).join(': keep-alive\n\n')
const STREAMS = {
  'line feeds': events,
  'carriage returns and line feeds': events.replaceAll('\n', '\r\n'),
  'a byte order mark': `\uFEFF${events}`,
}

for (const [name, stream] of Object.entries(STREAMS))
  test(`wherever the bytes of a stream are cut, the reply and its deltas are the same (${name})`, () => {
    const bytes = Buffer.from(stream)
    const anyCuts = fc.uniqueArray(fc.nat({ max: bytes.length }), { maxLength: 60 })
    const whole = hear([bytes])
    assert.deepEqual(whole.reply, EXPECTED)
    fc.assert(
      fc.property(anyCuts, (cuts) => {
        const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        const chunks = ends.slice(1).map((end, at) => bytes.subarray(ends[at], end))
        assert.deepEqual(hear(chunks), whole)
      }),
      { numRuns: 150 },
    )
    assert.deepEqual(hear([...bytes].map((byte) => Buffer.from([byte]))), whole)
  })

test('a stream cut anywhere before its finish reason is broken or unreadable, never a clean reply', () => {
  const bytes = Buffer.from(events)
  const reason = events.indexOf('"finish_reason":"tool_calls"')
  assert.ok(reason > 0)
  const limit = Buffer.byteLength(events.slice(0, reason))
  for (let end = 0; end < limit; end += 7) {
    let finish = 'unreadable'
    try {
      finish = hear([bytes.subarray(0, end)]).reply.finish
    } catch {
      // so it is
    }
    assert.ok(finish === 'broken' || finish === 'unreadable', `${finish} at ${end}`)
  }
})
