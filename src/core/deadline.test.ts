import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openDeadline, untilAborted } from './deadline.ts'

test('fires after its time and says what took too long', async () => {
  using deadline = openDeadline(new AbortController().signal, 5, 'The call')
  await assert.rejects(untilAborted(new Promise(() => undefined), deadline.signal), /The call took longer than 5 ms/)
  assert.equal(deadline.expired, true)
})

test('follows the signal it was made from, with its reason', async () => {
  const controller = new AbortController()
  using deadline = openDeadline(controller.signal, 60_000, 'The call')
  controller.abort(new Error('the user'))
  await assert.rejects(untilAborted(Promise.resolve(1), deadline.signal), /the user/)
  assert.equal(deadline.expired, false)
})

test('a signal that has fired already fires at once', () => {
  using deadline = openDeadline(AbortSignal.abort(new Error('before')), 60_000, 'The call')
  assert.equal(deadline.signal.aborted, true)
})

// https://github.com/openclaw/openclaw/issues/12407
test('a time longer than a timer can hold does not fire at once', async () => {
  using deadline = openDeadline(new AbortController().signal, 2 ** 40, 'The call')
  await wait(5)
  assert.equal(deadline.signal.aborted, false)
})

test('work that ends in time gives its value', async () => {
  using deadline = openDeadline(new AbortController().signal, 60_000, 'The call')
  assert.equal(await untilAborted(Promise.resolve(7), deadline.signal), 7)
})
