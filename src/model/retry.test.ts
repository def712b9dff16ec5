import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failure, modelContract, NEVER, requestOf } from './model.contract.ts'
import type { Model, Retry } from './model.ts'
import { ModelError } from './model.ts'
import type { RetryOptions } from './retry.ts'
import { retrying } from './retry.ts'
import type { ScriptReply } from './script.ts'
import { scripted } from './scripted.ts'

modelContract('retrying', async (replies) => ({
  model: retrying(scripted(replies), { attempts: 1 }),
  async [Symbol.asyncDispose]() {},
}))

const BUSY: ScriptReply = { error: { status: 503, body: 'busy' } }
const FINE: ScriptReply = { text: 'hi' }

interface Watched {
  readonly waits: number[]
  readonly told: Retry[]
  readonly outcome: Promise<unknown>
}

/** Asks once, with waits that are only written down and jitter at its most. */
function watch(model: Model, options: RetryOptions = {}): Watched {
  const waits: number[] = []
  const told: Retry[] = []
  const patient = retrying(model, {
    random: () => 1,
    sleep: async (milliseconds) => {
      assert.equal(told.length, waits.length + 1, 'a wait is told before it begins')
      waits.push(milliseconds)
    },
    ...options,
  })
  const outcome = patient.ask(requestOf(patient), { signal: NEVER, onRetry: (retry) => told.push(retry) })
  return { waits, told, outcome }
}

/** A model that fails with these errors, one after the other, and then answers. */
function failing(...errors: readonly unknown[]): Model {
  const inner = scripted([FINE])
  let next = 0
  return {
    ...inner,
    ask: async (...args) => (next < errors.length ? Promise.reject(errors[next++]) : inner.ask(...args)),
  }
}

test('trouble that may pass is waited for, twice as long each time', async () => {
  const { waits, told, outcome } = watch(scripted([BUSY, { error: { status: 429 } }, { error: { status: 0 } }, FINE]))
  assert.equal(((await outcome) as { text: string }).text, 'hi')
  assert.deepEqual(waits, [1_000, 2_000, 4_000])
  assert.deepEqual(
    told.map(({ attempt, waitMs }) => [attempt, waitMs]),
    [
      [1, 1_000],
      [2, 2_000],
      [3, 4_000],
    ],
  )
  assert.match(told[0]?.reason ?? '', /503: busy/)
})

test('attempts are finite, and the last error says how many there were', async () => {
  const model = scripted(() => BUSY)
  const error = await failure(watch(model).outcome)
  assert.ok(error instanceof ModelError)
  assert.equal(model.requests.length, 4)
  assert.match(error.message, /503: busy \(after 4 attempts\)$/)
  assert.deepEqual([error.kind, error.status, error.body], ['overloaded', 503, 'busy'])
})

test('what would be answered the same again is asked once', async () => {
  for (const status of [400, 401, 402, 404]) {
    const model = scripted(() => ({ error: { status } }))
    await failure(watch(model).outcome)
    assert.equal(model.requests.length, 1)
  }
  for (const kind of ['unreadable', 'script', 'refused'] as const) {
    const error = new ModelError(kind, 'no')
    assert.equal(await failure(watch(failing(error)).outcome), error)
  }
  const bug = new TypeError('a bug')
  assert.equal(await failure(watch(failing(bug)).outcome), bug)
})

test('a time limit is worth another attempt', async () => {
  const { waits, outcome } = watch(failing(new ModelError('timeout', 'slow')))
  await outcome
  assert.equal(waits.length, 1)
})

test('a service that says when to come back is believed', async () => {
  const busy = new ModelError('overloaded', 'busy', { retryAfterMs: 7_000 })
  const { waits, outcome } = watch(failing(busy), { random: () => 0 })
  await outcome
  assert.deepEqual(waits, [7_000])
})

// https://github.com/earendil-works/pi/pull/4991
test('no wait is longer than the bound, whatever the service says', async () => {
  const busy = new ModelError('overloaded', 'busy', { retryAfterMs: 1_382_400_000 })
  const { waits, outcome } = watch(failing(busy, busy))
  await outcome
  assert.deepEqual(waits, [60_000, 60_000])
})

test('waits are jittered over their whole length', async () => {
  for (const random of [0, 0.25, 1]) {
    const { waits, outcome } = watch(scripted([BUSY, FINE]), { random: () => random })
    await outcome
    assert.deepEqual(waits, [random * 1_000])
  }
})

test('an abort ends a wait at once with the signal reason', async () => {
  const controller = new AbortController()
  const reason = new Error('stopped by a person')
  const model = scripted([BUSY, FINE])
  const patient = retrying(model, { random: () => 1 })
  const started = performance.now()
  const asked = patient.ask(requestOf(patient), {
    signal: controller.signal,
    onRetry: () => setTimeout(() => controller.abort(reason), 10),
  })
  assert.equal(await failure(asked), reason)
  assert.ok(performance.now() - started < 500)
  assert.equal(model.requests.length, 1)
})

// https://github.com/shiaho777/web-to-app/issues/748
test('nothing of a failed attempt is left in the reply', async () => {
  const inner = scripted([{ text: 'Hello world' }])
  let first = true
  const model: Model = {
    ...inner,
    async ask(request, options) {
      if (!first) return inner.ask(request, options)
      first = false
      options.onDelta?.({ kind: 'text', text: 'Hello wor' })
      throw new ModelError('unreachable', 'it broke')
    },
  }
  assert.equal(((await watch(model).outcome) as { text: string }).text, 'Hello world')
})

test('with a jitter of its own each wait is whole and a little longer, as the original of deep research waits', async () => {
  const busy = Array.from({ length: 6 }, () => BUSY)
  const { waits, outcome } = watch(scripted([...busy, FINE]), { attempts: 10, longestWaitMs: 30_000, jitterMs: 1_000 })
  await outcome
  assert.deepEqual(waits, [2_000, 3_000, 5_000, 9_000, 17_000, 30_000])
})

test('a reply that says nothing is trouble where that was asked for, and a reply elsewhere', async () => {
  const nothing: ScriptReply = { text: ' \n', reasoning: 'Hm.' }
  const asked = watch(scripted([nothing, { calls: [{ name: 'a', arguments: {} }] }]), { emptyReplies: true })
  assert.equal(((await asked.outcome) as { calls: unknown[] }).calls.length, 1)
  assert.match(asked.told[0]?.reason ?? '', /said nothing/)
  assert.equal(((await watch(scripted([nothing])).outcome) as { text: string }).text, ' \n')
  await assert.rejects(watch(scripted([nothing, nothing]), { attempts: 2, emptyReplies: true }).outcome, {
    kind: 'empty',
  })
})
