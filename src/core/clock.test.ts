import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { steadyClock } from './clock.ts'

test('the time of a run is that of the machine, and goes on from where it was when that is set back', () => {
  const times = [1000, 1010, 400, 400, 410, 2000, 1500]
  const clock = steadyClock({ now: () => times.shift() ?? 0 })
  assert.deepEqual(
    Array.from({ length: 7 }, () => clock.now()),
    [1000, 1010, 1010, 1010, 1020, 2610, 2610],
  )
})

test('however the clock of the machine jumps, the time of a run never goes back, and what passes is counted', () => {
  const steps = fc.array(fc.record({ jump: fc.integer({ max: 0 }), pass: fc.nat(1000) }), { maxLength: 30 })
  fc.assert(
    fc.property(steps, (jumps) => {
      let time = 0
      const clock = steadyClock({ now: () => time })
      let before = clock.now()
      for (const { jump, pass } of jumps) {
        time += jump
        const now = clock.now()
        time += pass
        assert.ok(now >= before)
        before = clock.now()
        assert.equal(before - now, pass)
      }
    }),
  )
})
