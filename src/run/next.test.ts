import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Effect } from '../core/call.ts'
import type { Fact } from '../core/event.ts'
import { DEFAULT_LIMITS } from '../core/limits.ts'
import { NO_USAGE } from '../core/usage.ts'
import { evolve } from './evolve.ts'
import { type Move, nextMove } from './next.ts'
import { emptyState } from './state.ts'

const started: Fact = {
  kind: 'run.started',
  formatVersion: 1,
  task: 'Do it.',
  client: 'tester',
  model: 'scripted/test',
  protocol: 'native',
  limits: { ...DEFAULT_LIMITS, modelCalls: 3, toolCalls: 2 },
  system: 'Be careful.',
  head: { tools: [], stop: [], temperature: 0, maxOutputTokens: 10, stream: false, thinking: false },
  toolsHash: '',
  criteria: ['it holds'],
  words: [],
}
const sent: Fact = { kind: 'request.sent', step: 1, bytes: 1, prefixBytes: 0, sha256: '' }
const reply = (text: string, ids: readonly string[]): Fact => ({
  kind: 'model.replied',
  step: 1,
  text,
  calls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })),
  finish: 'stop',
  usage: { ...NO_USAGE, inputFresh: 1 },
  firstByteMs: 0,
  totalMs: 0,
})
const cleared = (call: string, effect: Effect): Fact => ({
  kind: 'call.cleared',
  call,
  name: 'look',
  effects: [effect],
})
const begun = (call: string): Fact => ({ kind: 'call.started', call, name: 'look' })
const finished = (call: string): Fact => {
  const result = { ok: true, observation: call, truncated: false, durationMs: 0, bytes: 1 }
  return { kind: 'call.finished', call, name: 'look', ...result }
}
const claim: Fact = { kind: 'claim.made', answer: 'done' }

/** The next move after these facts, with the ids of the calls it is about. */
function moveAfter(...facts: readonly Fact[]): string {
  const state = emptyState()
  for (const [seq, fact] of [started, ...facts].entries())
    evolve(state, { run: 'r', seq, at: '2026-01-01T00:00:00.000Z', ...fact })
  return show(nextMove(state))
}

function show(move: Move): string {
  if ('calls' in move) return `${move.do} ${move.calls.map(({ call }) => call.id).join(' ')}`
  if (move.do === 'end') return `end ${move.ending.status}`
  return move.do === 'ask' ? `ask ${move.toolChoice}` : move.do
}

const asked = [sent, reply('', ['a', 'b', 'c'])]
const reads = [cleared('a', 'read'), cleared('b', 'read')]
const table: readonly [string, readonly Fact[], string][] = [
  ['a new run asks', [], 'ask auto'],
  ['calls are checked, all before any runs', asked, 'check a b c'],
  ['those that are left are checked first', [...asked, cleared('a', 'read')], 'check b c'],
  ['reads run together up to the first effect', [...asked, ...reads, cleared('c', 'write')], 'execute a b'],
  ['an effect runs alone', [...asked, cleared('a', 'write'), cleared('b', 'write'), cleared('c', 'read')], 'execute a'],
  [
    'a call that had started before a crash is not run again',
    [...asked, ...reads, cleared('c', 'read'), begun('a')],
    'recover a',
  ],
  ['text claims to be done, and that is judged', [sent, reply('done', []), claim], 'judge'],
  [
    'an accepted claim ends the run',
    [
      sent,
      reply('done', []),
      claim,
      { kind: 'claim.accepted', evidence: [{ criterion: 'it holds', holds: true, detail: '' }] },
    ],
    'end success',
  ],
  ['a service that is lost ends the run', [sent, { kind: 'model.failed', step: 1, reason: 'gone' }], 'end failed'],
  ['a cancelled run answers its calls first', [...asked, { kind: 'cancel.requested', by: 'x' }], 'close a b c'],
  ['and then ends', [sent, { kind: 'cancel.requested', by: 'x' }], 'end cancelled'],
  ['a blocked run ends before anything is asked', [{ kind: 'run.blocked', reason: 'no sandbox' }], 'end blocked'],
  ['used-up requests end the run', [sent, sent, sent], 'end limit'],
]

for (const [name, facts, expected] of table) {
  test(name, () => assert.equal(moveAfter(...facts), expected))
}

test('one call too many leads to a last answer without tools, and then to the end', () => {
  const refused: Fact = { kind: 'call.refused', call: 'c', name: 'look', cause: 'limit', observation: 'no' }
  const facts = [...asked, ...reads, refused, begun('a'), begun('b'), finished('a'), finished('b')]
  assert.equal(moveAfter(...facts), 'askLast')
  const reached: Fact = { kind: 'limit.reached', limit: 'toolCalls', value: 2, bound: 2, observation: 'answer now' }
  assert.equal(moveAfter(...facts, reached), 'ask none')
  assert.equal(moveAfter(...facts, reached, sent), 'end limit')
})

test('an ended run rests', () => {
  const outcome = { status: 'answered', reason: '', evidence: [], usage: NO_USAGE, changed: [] } as const
  const ended: Fact = { kind: 'run.ended', outcome: { ...outcome, modelCalls: 0, toolCalls: 0, durationMs: 0 } }
  assert.equal(moveAfter(ended), 'rest')
})
