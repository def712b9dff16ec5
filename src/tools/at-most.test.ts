import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { atMost, mapAtMost } from './at-most.ts'

test('never more than the number are under way, all are done, and answers keep their order', async () => {
  let running = 0
  let most = 0
  const done = await mapAtMost(
    3,
    Array.from({ length: 20 }, (_, i) => i),
    async (item) => {
      most = Math.max(most, ++running)
      for (let i = 0; i < item % 4; i++) await turn()
      running -= 1
      return item
    },
  )
  assert.equal(most, 3)
  assert.deepEqual(
    done,
    Array.from({ length: 20 }, (_, i) => i),
  )
})

test('work that fails makes room for the next', async () => {
  const inTurn = atMost(1)
  const failing = inTurn(() => Promise.reject(new Error('no')))
  const next = inTurn(async () => 'yes')
  await assert.rejects(failing, /no/)
  assert.equal(await next, 'yes')
})
