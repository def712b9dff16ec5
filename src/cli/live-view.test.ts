import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event, Fact } from '../core/event.ts'
import { DEFAULT_LIMITS } from '../core/limits.ts'
import { openLiveView, type Screen } from './live-view.ts'

const EVIL = 'a\x1b[2J\u202egpj'

const HEAD = { tools: [], stop: [], temperature: 0, maxOutputTokens: 800, stream: false, thinking: false }

const STARTED: Fact = {
  kind: 'run.started',
  formatVersion: 1,
  task: EVIL,
  client: 'c',
  model: 'scripted/x',
  protocol: 'native',
  limits: DEFAULT_LIMITS,
  system: '',
  head: HEAD,
  toolsHash: '',
  criteria: [],
  words: [],
}

const call = { id: 'c1', name: 'bash', arguments: `{"command":"${EVIL}"}` }
const usage = { inputFresh: 1_000, inputCached: 200, inputCacheWritten: 0, output: 4, reasoning: 0, cost: 0.0012 }
const finished = {
  kind: 'call.finished',
  call: 'c1',
  name: 'bash',
  ok: true,
  truncated: false,
  durationMs: 1_234,
} as const

const FACTS: readonly Fact[] = [
  STARTED,
  { kind: 'request.sent', step: 1, bytes: 1, prefixBytes: 0, sha256: '' },
  {
    kind: 'model.replied',
    step: 1,
    text: `I look.\n${EVIL}`,
    calls: [call],
    finish: 'calls',
    usage,
    firstByteMs: 1,
    totalMs: 2,
  },
  { kind: 'call.cleared', call: 'c1', name: 'bash', effects: ['write'] },
  { kind: 'call.started', call: 'c1', name: 'bash' },
  { ...finished, observation: `exit code: 1\nlong\n${EVIL}`, bytes: 2_500, exit: 1 },
  { kind: 'request.sent', step: 2, bytes: 1, prefixBytes: 0, sha256: '' },
]

const events = FACTS.map((fact, seq): Event => ({ run: 'r', seq, at: new Date(seq * 1_000).toISOString(), ...fact }))

function show(isTTY: boolean): string {
  let text = ''
  const screen: Screen = { isTTY, write: (piece) => (text += piece) }
  using view = openLiveView(screen)
  for (const event of events) view.onEvent(event)
  return text
}

test('a step is shown as thought, call, result, then what was spent and how long it took', () => {
  const lines = show(false).split('\n')
  assert.deepEqual(lines, [
    'step 1',
    '  I look. a\\x1b[2J\\u{202e}gpj',
    '  → bash {"command":"a\\x1b[2J\\u{202e}gpj"}',
    '  ← exit 1 (1.2 s, 2.5 kB) long a\\x1b[2J\\u{202e}gpj',
    'step 2  so far 1,204 tokens · $0.0012 · 6.0 s',
    '',
  ])
})

test('a pipe gets no colour and no movement of the cursor', () => {
  assert.match(show(false), /^[\n\x20-\x7e→←·]*$/)
})

test('a retry is told before the wait', () => {
  let text = ''
  using view = openLiveView({ write: (piece) => (text += piece) })
  view.onRetry({ attempt: 1, waitMs: 1_500, reason: `429 ${EVIL}` })
  assert.equal(text, '  ! 429 a\\x1b[2J\\u{202e}gpj; attempt 2 in 1.5 s\n')
})

test('on a terminal one line says what goes on and for how long, and makes room for every other line', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  let text = ''
  const view = openLiveView({ isTTY: true, write: (piece) => (text += piece) })
  for (const event of events.slice(0, 2)) view.onEvent(event)
  t.mock.timers.tick(500)
  view.onDelta({ kind: 'text', text: 'Hel' })
  view.onDelta({ kind: 'text', text: 'lo' })
  t.mock.timers.tick(250)
  view.say('line')
  view[Symbol.dispose]()
  const line = '\r\x1b[K… the model is'
  assert.ok(
    text.endsWith(`${line} thinking · 0.5 s${line} writing · 5 characters so far · 0.8 s\r\x1b[Kline\n`),
    JSON.stringify(text),
  )
})

test('while a person is asked nothing is drawn over the question', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  let text = ''
  using view = openLiveView({ isTTY: true, write: (piece) => (text += piece) })
  for (const event of events.slice(0, 2)) view.onEvent(event)
  t.mock.timers.tick(250)
  const paused = view.pause()
  text = ''
  t.mock.timers.tick(1_000)
  assert.equal(text, '')
  paused[Symbol.dispose]()
  t.mock.timers.tick(250)
  assert.match(text, /the model is thinking/)
})

test('on a terminal that line says whether the model thinks, writes, calls or answers', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  let text = ''
  using view = openLiveView({ isTTY: true, write: (piece) => (text += piece) })
  for (const event of events.slice(0, 2)) view.onEvent(event)
  for (const kind of ['reasoning', 'text', 'call', 'answer'] as const) {
    view.onDelta({ kind, text: EVIL })
    t.mock.timers.tick(250)
  }
  const told = text.split('\r\x1b[K… the model is ').map((line) => line.split(' · ')[0])
  assert.deepEqual(told.slice(1), ['thinking', 'writing', 'writing a call', 'answering'])
  assert.ok(!text.includes(EVIL))
})

test('on a narrow terminal that line is cut: what wraps could not be cleared again', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  let text = ''
  const screen = { isTTY: true, columns: 20, write: (piece: string) => (text += piece) }
  using view = openLiveView(screen)
  for (const event of events.slice(0, 2)) view.onEvent(event)
  text = ''
  t.mock.timers.tick(250)
  assert.equal(text, '\r\x1b[K… the model is thin')
  screen.columns = 30
  t.mock.timers.tick(250)
  assert.ok(text.endsWith('\r\x1b[K… the model is thinking · 0.5'))
})
