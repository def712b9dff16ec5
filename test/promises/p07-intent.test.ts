import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Journal } from '../../src/journal/journal.ts'
import { memoryJournal } from '../../src/journal/memory.ts'
import { callOf, plainTool, runScript, saying } from '../support/bench.ts'

/** Notes every flush; what is not flushed when a tool starts would be lost in a crash. */
function watchedJournal(): Journal & { safe(): number } {
  const inner = memoryJournal()
  let appended = 0
  let safe = 0
  return {
    ...inner,
    append: (event) => {
      appended += 1
      inner.append(event)
    },
    flush: async (run, how) => {
      await inner.flush(run, how)
      if (how === 'durable') safe = appended
    },
    safe: () => safe,
  }
}

test('a call with an effect starts only when its intent is safe on disk; a read does not wait', async () => {
  const journal = watchedJournal()
  const seen: Record<string, string | undefined> = {}
  const note = (name: string) => async () => {
    const events = await journal.read('run-1')
    seen[name] = events[journal.safe() - 1]?.kind
    return 'ok'
  }
  await runScript({
    script: [{ calls: [callOf('look'), callOf('change')] }, saying('done')],
    tools: [plainTool('look', 'read', note('look')), plainTool('change', 'write', note('change'))],
    journal,
  })
  assert.equal(seen.look, undefined)
  assert.equal(seen.change, 'call.started')
})

// https://github.com/earendil-works/pi/issues/2692
test('effects run one by one in reply order, reads between them together', async () => {
  const log: string[] = []
  const tool = (name: string, effect: 'read' | 'write') =>
    plainTool(name, effect, async ({ n }) => {
      log.push(`${name}${n} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      log.push(`${name}${n} ends`)
      return 'ok'
    })
  const names = ['r', 'r', 'w', 'w', 'r']
  const calls = names.map((name, index) => callOf(name, { n: index + 1 }))
  await runScript({ script: [{ calls }, saying('done')], tools: [tool('r', 'read'), tool('w', 'write')] })
  assert.deepEqual(log, [
    ...['r1 begins', 'r2 begins', 'r1 ends', 'r2 ends'],
    ...['w3 begins', 'w3 ends', 'w4 begins', 'w4 ends', 'r5 begins', 'r5 ends'],
  ])
})

test('a call that was running when the run was cancelled is marked as one whose outcome is not known', async () => {
  const controller = new AbortController()
  const hang = plainTool('hang', 'write', () => {
    controller.abort(new Error('the user'))
    return new Promise<string>(() => undefined)
  })
  const trace = await runScript({ script: [{ calls: [callOf('hang')] }], tools: [hang], signal: controller.signal })
  assert.equal(trace.outcome.status, 'cancelled')
  assert.equal(trace.all('call.finished')[0]?.outcomeUnknown, true)
})
