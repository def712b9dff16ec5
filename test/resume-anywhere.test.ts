import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../src/core/event.ts'
import { memoryJournal } from '../src/journal/memory.ts'
import { scripted } from '../src/model/scripted.ts'
import { agentCalls } from '../src/protocol/agent-calls.ts'
import { native } from '../src/protocol/native.ts'
import type { Protocol } from '../src/protocol/protocol.ts'
import { tagged } from '../src/protocol/tagged.ts'
import { thoughtAction } from '../src/protocol/thought-action.ts'
import { advance } from '../src/run/advance.ts'
import { eventsUntil } from '../src/run/fork-point.ts'
import { resume } from '../src/run/resume.ts'
import { takeUp } from '../src/run/take-up.ts'
import {
  calling,
  callOf,
  pairingFault,
  plainTool,
  runScript,
  saying,
  type Trace,
  tickingClock,
} from './support/bench.ts'

/*
 * A journal may stop at any event: a crash, a full disk, an abort. Wherever it stops, the run can be taken up, and every request
 * is one that a service accepts: each call has its one answer, and nothing stands in between.
 */

const tools = [
  plainTool('look', 'read', () => 'seen'),
  plainTool('change', 'write', () => 'changed'),
  plainTool('fail', 'write', () => Promise.reject(new Error('it broke'))),
]

const eventful = (): Promise<Trace> =>
  runScript({
    tools,
    script: [
      { calls: [callOf('look'), callOf('change'), callOf('nothing')] },
      { text: '', calls: [] },
      { calls: [callOf('fail'), callOf('look', '{"a":')] },
      calling('change', { n: 1 }),
      saying('Done.'),
    ],
  })

/** Goes on from the first `length` events; the model ends it at once. */
async function goOn(events: readonly Event[], trace: Trace, how: { say?: string; protocol?: Protocol }) {
  const journal = memoryJournal()
  for (const event of events) journal.append(event)
  const model = scripted(() => ({ text: '{"response":"Over."}\n<answer>Over.</answer>\nFinal Answer: Over.' }))
  const parts = {
    ...trace.run.parts,
    journal,
    model,
    ...(how.protocol === undefined ? {} : { protocol: how.protocol }),
  }
  const words = how.say === undefined ? {} : { words: [{ kind: 'typed' as const, text: how.say }] }
  const run = await resume(takeUp('run-1', events, parts), { reason: 'test', spec: {}, ...words })
  const outcome = await advance(run, new AbortController().signal)
  return { model, outcome, events: await journal.read('run-1') }
}

// https://github.com/paperclipai/paperclip/issues/2358
test('wherever a journal stops, the run goes on, and all that is sent is paired', async () => {
  const trace = await eventful()
  for (let length = 1; length < trace.events.length; length++)
    for (const say of [undefined, 'And now this.']) {
      const events = trace.events.slice(0, length)
      const place = `after ${length} events, ${events.at(-1)?.kind}${say === undefined ? '' : ', with a new word'}`
      const { model, outcome } = await goOn(events, trace, say === undefined ? {} : { say })
      assert.equal(outcome?.status, 'answered', place)
      for (const { messages } of model.requests) {
        assert.equal(pairingFault(messages), undefined, place)
        if (say !== undefined)
          assert.ok(
            messages.some(({ role, text }) => role === 'user' && text === say),
            place,
          )
      }
    }
})

test('the same in every other protocol: the history is rendered for the new one', async () => {
  const trace = await eventful()
  for (const protocol of [native, tagged, thoughtAction, agentCalls])
    for (let length = 1; length < trace.events.length; length += 2) {
      const { model, outcome } = await goOn(trace.events.slice(0, length), trace, { protocol })
      assert.equal(outcome?.status, 'answered', `${protocol.name} after ${length} events`)
      for (const { messages } of model.requests) assert.equal(pairingFault(messages), undefined, protocol.name)
    }
})

test('under a clock that was set back between two processes nothing is lost, and working time is what was worked', async () => {
  const trace = await eventful()
  const [started] = trace.events
  const hourBefore = Date.parse(started?.at ?? '') - 3_600_000
  for (let length = 1; length < trace.events.length; length++) {
    const journal = memoryJournal()
    for (const event of trace.events.slice(0, length)) journal.append(event)
    const model = scripted(() => ({ text: 'Over.' }))
    const parts = { ...trace.run.parts, journal, model, clock: tickingClock(hourBefore) }
    const run = await resume(takeUp('run-1', trace.events.slice(0, length), parts), { reason: 'test', spec: {} })
    assert.equal((await advance(run, new AbortController().signal))?.status, 'answered')
    const worked = run.state.now - run.state.startedAt
    assert.ok(worked >= 0 && worked < 1000, `${worked} ms after ${length} events`)
  }
})

test('what was recorded is never rewritten: a run that goes on only appends', async () => {
  const trace = await eventful()
  for (let length = 1; length < trace.events.length; length++) {
    const before = trace.events.slice(0, length)
    const { events } = await goOn(before, trace, { say: 'And now this.' })
    assert.deepEqual(events.slice(0, length), before)
  }
})

// https://github.com/openai/codex/issues/29773
// https://github.com/mindsdb/anton/pull/471
test('a call that nobody answered is closed once, as one whose outcome nobody knows, with its name and arguments', async () => {
  const trace = await runScript({ tools, script: [calling('change', { n: 1 }, ''), saying('Done.')] })
  let events: readonly Event[] = trace.events.slice(
    0,
    trace.events.findIndex(({ kind }) => kind === 'call.started') + 1,
  )
  for (const say of [undefined, 'And now?', 'And now this.']) {
    const gone = await goOn(events, trace, say === undefined ? {} : { say })
    events = gone.events
    const { messages } = gone.model.requests.at(-1) ?? { messages: [] }
    const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
    assert.deepEqual(calls, [{ id: 'call_1_0', name: 'change', arguments: '{"n":1}' }])
  }
  const answers = events.flatMap((event) => (event.kind === 'call.finished' ? [event.outcomeUnknown] : []))
  assert.deepEqual(answers, [true])
  assert.equal(events.filter(({ kind }) => kind === 'call.started').length, 1)
})

// https://github.com/RooCodeInc/Roo-Code/pull/9797
test('a history is cut between steps only: what stands before has its answers, and another word may follow', async () => {
  const trace = await eventful()
  for (let step = 0; step <= 5; step++) {
    const { events } = eventsUntil(trace.events, step)
    const { model, outcome } = await goOn(events, trace, { say: 'Something else.' })
    assert.equal(outcome?.status, 'answered')
    assert.equal(pairingFault(model.requests[0]?.messages ?? []), undefined)
    const calls = trace.events
      .slice(0, events.length)
      .flatMap((event) => (event.kind === 'model.replied' ? event.calls : []))
    const answered = model.requests[0]?.messages.filter(({ role }) => role === 'tool') ?? []
    assert.equal(answered.length, calls.length, 'each call has the answer it had')
  }
  const within = trace.events.findIndex(({ kind }) => kind === 'call.started') + 1
  assert.throws(
    () => eventsUntil(trace.events.slice(0, within), 1),
    /Step 1 .* is not finished: look has no answer yet/,
  )
})

test('an event of a kind that nobody knows is told with its place, and the run is left as it is', async () => {
  const trace = await eventful()
  const odd = trace.events.map((event, seq) =>
    seq === 3 ? ({ ...event, kind: 'toString' } as unknown as Event) : event,
  )
  await assert.rejects(
    goOn(odd, trace, {}),
    /Event 3 of run run-1 is "toString", which this version of Tao does not know/,
  )
})
