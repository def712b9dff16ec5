import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { TaoError } from '../core/error.ts'
import { type Event, eventLine } from '../core/event.ts'
import { FenceError, type Journal } from './journal.ts'

/** What every journal promises. `open` gives a fresh one each time. */
export function journalContract(name: string, open: () => Promise<Journal>): void {
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
        { numRuns: 40 },
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

    test('lists first and last event of each run, newest run first', async () => {
      const journal = await open()
      const events = [
        finished('old', 0),
        finished('new', 0),
        finished('new', 1),
        finished('old', 1),
        finished('old', 2),
      ]
      for (const event of events) journal.append(event)
      assert.deepEqual(await journal.runs(), [
        { run: 'new', first: events[1], last: events[2] },
        { run: 'old', first: events[0], last: events[4] },
      ])
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

const anyMove = fc.record({
  run: fc.constantFrom('a', 'b', 'ünïcode run'),
  text: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\u0000', '\ud800', '"\\', '\u2028')),
  flush: fc.constantFrom(undefined, undefined, 'committed' as const, 'durable' as const),
})
