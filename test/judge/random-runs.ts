// Runs 10,000 random scripts and looks at what each ended with. Throws when one is a success that should be none.
import assert from 'node:assert/strict'
import { parentPort } from 'node:worker_threads'
import fc from 'fast-check'
import { called } from '../../src/judge/called.ts'
import { all, any, not } from '../../src/judge/combine.ts'
import type { Criterion } from '../../src/judge/criterion.ts'
import { calling, plainTool, runScript, saying } from '../support/bench.ts'

const RUNS = 10_000

/** A world that one tool mends and another breaks, and every way a criterion can look at it and not be satisfied. */
function world() {
  let isWhole = false
  const mend = plainTool('mend', 'write', () => {
    isWhole = true
    return 'whole'
  })
  const breakIt = plainTool('break', 'write', () => {
    isWhole = false
    return 'broken'
  })
  const look = plainTool('look', 'read', () => (isWhole ? 'whole' : 'broken'))
  const looked = called({ tool: 'look', matches: 'whole' })
  const isNow: Criterion = { name: 'is whole', check: async () => ({ holds: isWhole, detail: '' }) }
  const throws: Criterion = { name: 'throws', check: () => Promise.reject(new Error('no')) }
  const liked: Criterion = { name: 'liked', check: async () => ({ holds: true, detail: '', doubt: 'opinion' }) }
  return { tools: [mend, breakIt, look], looked, isNow, throws, liked, isWhole: () => isWhole }
}

const REPLIES = [
  calling('mend'),
  calling('break'),
  calling('look'),
  calling('nothing'),
  saying('It is whole.'),
  saying('All checks pass.'),
  { text: 'Half a rep', finish: 'length' as const },
  {
    calls: [
      { name: 'mend', arguments: {} },
      { name: 'look', arguments: {} },
    ],
    text: 'Done!',
  },
  { calls: [{ name: 'look', arguments: '{"broken' }] },
]

/** Sets of criteria that can be met in such a world, and such that cannot. */
const sets = ({ looked, isNow, throws, liked }: ReturnType<typeof world>): readonly (readonly Criterion[])[] => [
  [isNow, looked],
  [all([isNow, liked])],
  [any([throws, not(not(isNow))])],
  [isNow, throws],
  [not(throws)],
  [liked],
]
const CAN_BE_MET = 3

let successes = 0
const choices = fc.array(fc.nat(REPLIES.length - 1), { maxLength: 4 })
const property = fc.asyncProperty(choices, fc.nat(5), async (chosen, kind) => {
  const made = world()
  const criteria = sets(made)[kind] ?? []
  const { outcome, events } = await runScript({
    script: (n) => REPLIES[chosen[n] ?? 4] ?? saying('It is whole.'),
    tools: made.tools,
    criteria,
    limits: { modelCalls: 5, toolCalls: 4, rejectedClaims: 2, malformedReplies: 2 },
  })
  if (outcome.status !== 'success') return
  successes += 1
  assert.ok(kind < CAN_BE_MET, 'no such set can be met')
  assert.ok(made.isWhole(), 'what is delivered is broken')
  assert.ok(outcome.evidence.every(({ holds }) => holds))
  const change = events.findLast((event) => event.kind === 'call.finished' && event.name !== 'look')?.seq ?? -1
  const checks = events.filter(({ kind: each }) => each === 'check.finished').slice(-criteria.length)
  assert.ok(
    checks.every(({ seq }) => seq > change),
    'a check is older than the last change',
  )
})
await fc.assert(property, { numRuns: RUNS })
parentPort?.postMessage({ runs: RUNS, successes })
