import type { KnownFact } from '../../src/core/known-fact.ts'
import type { Delivery, RecordedCall, RunRecord } from '../../src/judge/criterion.ts'
import { deliveryOf } from './given-tree.ts'

/** A call that ended well, as criteria see it. */
export const recorded = (call: Partial<RecordedCall> = {}): RecordedCall => ({
  id: 'call_1_0',
  step: 1,
  seq: 5,
  name: 'look',
  arguments: {},
  ok: true,
  observation: 'nothing',
  ...call,
})

export const known = (fact: Partial<KnownFact> = {}): KnownFact => ({
  fact: 'total',
  value: '42',
  call: 'call_1_0',
  from: 5,
  source: 'look {}',
  ...fact,
})

/** A delivery of a run in which this has happened. */
export const after = (record: Partial<RunRecord>, answer = ''): Delivery => {
  const delivery = deliveryOf({ answer })
  return { ...delivery, record: { ...delivery.record, ...record } }
}
