import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { TaoError } from '../core/error.ts'
import { type Event, eventLine } from '../core/event.ts'
import { DEFAULT_LIMITS } from '../core/limits.ts'
import { NO_USAGE } from '../core/usage.ts'
import { FenceError, type Journal } from './journal.ts'

/** What every journal promises. `open` gives a fresh one each time; `rounds`: how many mixtures are tried. */
export function journalContract(name: string, open: () => Promise<Journal>, rounds = 40): void {
  describe(name, () => {
    test('reads back every run in order, byte for byte, however appends and flushes are mixed', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyMove, { maxLength: 40 }), async (moves) => {
          const journal = await open()
          const written = new Map<string, Event[]>()
          for (const { run, text, flush } of moves) {
            const event = finished(run, written.get(run)?.length ?? 0, text)
            written.set(run, [...(written.get(run) ?? []), event])
            journal.append(event)
            if (flush !== undefined) await journal.flush(run, flush)
          }
          for (const [run, events] of written)
            assert.deepEqual((await journal.read(run)).map(eventLine), events.map(eventLine))
          await journal.close()
        }),
        { numRuns: rounds },
      )
    })

    test('shows what was appended before, without a flush', async () => {
      const journal = await open()
      journal.append(finished('a', 0))
      assert.equal((await journal.read('a')).length, 1)
      await journal.close()
    })

    test('gives an empty list for a run that is not known', async () => {
      const journal = await open()
      assert.deepEqual(await journal.read('nobody'), [])
      assert.deepEqual(await journal.runs(), [])
      await journal.flush('nobody', 'durable')
      await journal.close()
    })

    test('lists how each run began and ended, newest run first, and one that goes on after its end as open', async () => {
      const journal = await open()
      const [start, end] = [started('new', 0), ended('new', 1)]
      for (const event of [finished('old', 0), start, end, finished('old', 1)]) journal.append(event)
      const begun = { run: 'new', at: start.at, task: 'Do it.', model: 'some/model' }
      const old = { run: 'old', at: finished('old', 0).at }
      assert.deepEqual(await journal.runs(), [{ ...begun, end: { at: end.at, status: 'cancelled' } }, old])
      journal.append(finished('new', 2))
      assert.deepEqual(await journal.runs(), [begun, old])
      await journal.close()
    })

    test('lists a run that waits for a person as waiting, and as open when it goes on', async () => {
      const journal = await open()
      const parked: Event = { ...finished('a', 1), kind: 'run.parked', reason: 'A person must approve.' }
      for (const event of [finished('a', 0), parked]) journal.append(event)
      const begun = { run: 'a', at: finished('a', 0).at }
      assert.deepEqual(await journal.runs(), [{ ...begun, waitingSince: parked.at }])
      journal.append(finished('a', 2))
      assert.deepEqual(await journal.runs(), [begun])
      await journal.close()
    })

    test('lists the beginning of a long task, whatever is in it', async () => {
      const journal = await open()
      journal.append(started('a', 0, `\0\ud800${'x'.repeat(5_000)}`))
      const [listed] = await journal.runs()
      assert.match(listed?.task ?? '', /^\ufffd\ufffdx{298}…$/)
      await journal.close()
    })

    test('keeps the order of events when the clock is put back', async () => {
      const journal = await open()
      const times = ['2026-11-30T10:00:00.000Z', '2026-11-30T09:00:00.000Z', '1999-01-01T00:00:00.000Z']
      for (const [seq, at] of times.entries()) journal.append({ ...finished('a', seq), at })
      journal.append({ ...finished('newer', 0), at: '1970-01-01T00:00:00.000Z' })
      assert.deepEqual(
        (await journal.read('a')).map(({ at }) => at),
        times,
      )
      assert.deepEqual(
        (await journal.runs()).map(({ run }) => run),
        ['newer', 'a'],
      )
      await journal.close()
    })

    test('refuses an event whose place is taken and keeps what stands there', async () => {
      const journal = await open()
      journal.append(finished('a', 0, 'mine'))
      await journal.flush('a', 'committed')
      assert.throws(() => journal.append(finished('a', 0, 'yours')), FenceError)
      assert.deepEqual(await journal.read('a'), [finished('a', 0, 'mine')])
      await journal.close()
    })

    test('refuses an event that leaves one out', async () => {
      const journal = await open()
      journal.append(finished('a', 0))
      await journal.flush('a', 'committed')
      assert.throws(() => journal.append(finished('a', 2)), /Run a goes on at event 1, but event 2 was appended/)
      await journal.close()
    })

    test('takes and gives nothing once it is closed, and may be closed twice', async () => {
      const journal = await open()
      await journal.close()
      await journal.close()
      assert.throws(() => journal.append(finished('a', 0)), TaoError)
      await assert.rejects(journal.flush('a', 'committed'), /closed/)
      await assert.rejects(journal.read('a'), /closed/)
      await assert.rejects(journal.runs(), /closed/)
    })
  })
}

/** An event with a text of any kind in it. */
export const finished = (run: string, seq: number, observation = 'fine'): Event => ({
  run,
  seq,
  at: new Date(1_796_000_000_000 + seq).toISOString(),
  kind: 'call.finished',
  call: `call-${seq}`,
  name: 'read_file',
  ok: true,
  observation,
  truncated: false,
  durationMs: 1.5,
  bytes: Buffer.byteLength(observation),
})

/** The first event of a run. */
export const started = (run: string, seq: number, task = 'Do it.'): Event => ({
  run,
  seq,
  at: new Date(1_796_000_000_000 + seq).toISOString(),
  kind: 'run.started',
  formatVersion: 1,
  task,
  client: 'local',
  model: 'some/model',
  protocol: 'native',
  limits: DEFAULT_LIMITS,
  system: '',
  head: { tools: [], stop: [], temperature: 0, maxOutputTokens: 1, stream: false, thinking: false },
  toolsHash: '',
  criteria: [],
  words: [],
})

/** The last event of a run. */
export const ended = (run: string, seq: number): Event => ({
  run,
  seq,
  at: new Date(1_796_000_000_000 + seq).toISOString(),
  kind: 'run.ended',
  outcome: {
    status: 'cancelled',
    reason: 'It was stopped.',
    evidence: [],
    usage: NO_USAGE,
    modelCalls: 0,
    toolCalls: 0,
    durationMs: 0,
    changed: [],
  },
})

const anyMove = fc.record({
  run: fc.constantFrom('a', 'b', 'ünïcode run'),
  text: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\u0000', '\ud800', '"\\', '\u2028')),
  flush: fc.constantFrom(undefined, undefined, 'committed' as const, 'durable' as const),
})
