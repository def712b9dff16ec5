import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallParked } from '../core/approval.ts'
import type { Event, Fact } from '../core/event.ts'
import { findWaitingCall, waitingCalls } from './waiting-calls.ts'

const parked = (call: string, expiresAt = '2999-01-01T00:00:00.000Z'): CallParked => ({
  kind: 'call.parked',
  call,
  name: 'pay',
  description: 'Pays.',
  reason: 'It asks.',
  effects: ['write'],
  arguments: {},
  origins: [],
  marks: [],
  digest: 'd',
  expiresAt,
})

const answer = { call: 'a', digest: 'd', by: 'carol', from: 'command', observation: 'Not run.' }

const eventsOf = (...facts: readonly Fact[]): Event[] =>
  facts.map((fact, seq) => ({ run: 'run-1', seq, at: '2026-01-01T00:00:00.000Z', ...fact }))

const asking = (wanted: string | undefined, ...facts: readonly Fact[]) =>
  findWaitingCall('run-1', eventsOf(...facts), wanted)

test('a call waits from when it is asked about until it is answered', () => {
  const denied: Fact = { ...answer, kind: 'approval.denied', reason: '' }
  assert.deepEqual(
    waitingCalls(eventsOf(parked('a'), parked('b'), denied)).map(({ call }) => call),
    ['b'],
  )
  assert.equal(asking(undefined, parked('a'), parked('b'), denied).call, 'b')
  assert.equal(asking('b', parked('a'), parked('b')).call, 'b')
})

test('an answer to a call that does not wait is refused with the reason, and says which calls wait', () => {
  const given: Fact = { ...answer, kind: 'approval.given', seal: 's' }
  assert.throws(() => asking(undefined), /Nothing of run run-1 waits/)
  assert.throws(() => asking(undefined, parked('a'), parked('b')), { fix: 'Name one: a, b' })
  assert.throws(() => asking('c', parked('a')), { message: /no call "c"/, fix: 'These wait: a' })
  assert.throws(() => asking('a', parked('a'), given), /approved by carol at .* an approval counts once/)
  assert.throws(() => asking('a', parked('a'), { ...answer, kind: 'approval.denied', reason: '' }), /denied by carol/)
  assert.throws(() => asking('a', parked('a'), { ...answer, kind: 'approval.expired' }), /not answered in time/)
  assert.throws(() => asking('a', parked('a'), { ...answer, kind: 'approval.superseded' }), /user said something new/)
  assert.throws(() => asking('a', parked('a', '2026-01-02T00:00:00.000Z')), /could be answered until 2026-01-02/)
})
