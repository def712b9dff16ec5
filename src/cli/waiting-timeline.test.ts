import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event, Fact } from '../core/event.ts'
import { DEFAULT_LIMITS } from '../core/limits.ts'
import { paintFor } from './paint.ts'
import { isWaitingEvent, waitingLine } from './waiting-timeline.ts'

const EVIL = 'a\x1b[2J\u202egpj\nb'
const answer = { call: EVIL, digest: 'd', by: EVIL, from: 'terminal', observation: EVIL }

const FACTS: readonly (readonly [Fact, RegExp])[] = [
  [
    {
      ...{ kind: 'call.parked', call: EVIL, name: EVIL, description: EVIL, reason: EVIL, effects: ['write'] },
      ...{ arguments: {}, origins: [], marks: [], digest: 'd', expiresAt: '' },
    },
    /needs approval: a/,
  ],
  [
    { kind: 'approval.given', ...answer, seal: 's', edited: { x: EVIL } },
    /✓ .* approved by a.* \(terminal\), changed to/,
  ],
  [{ kind: 'approval.denied', ...answer, reason: EVIL }, /✗ .* denied by a.*: a/],
  [{ kind: 'approval.expired', ...answer }, /nobody answered in time/],
  [{ kind: 'approval.superseded', ...answer }, /the user said something new/],
  [{ kind: 'mark.added', mark: 'untrusted', source: EVIL }, /has read what is untrusted \(from a/],
  [
    {
      kind: 'user.said',
      words: [
        { kind: 'typed', text: EVIL },
        { kind: 'attached', name: EVIL, text: 'x' },
      ],
    },
    /user: a.*\[a/,
  ],
  [{ kind: 'run.parked', reason: EVIL }, /waiting: a/],
  [
    { kind: 'run.resumed', reason: EVIL, limits: { ...DEFAULT_LIMITS, modelCalls: 7 }, model: EVIL },
    /resumed: a.*; model a.*; limits modelCalls 7/,
  ],
]

test('each fact about waiting and going on is one line, in which nothing steers the terminal', () => {
  for (const [fact, expected] of FACTS) {
    const event: Event = { run: 'r', seq: 0, at: '2026-01-01T00:00:00.000Z', ...fact }
    assert.ok(isWaitingEvent(event))
    const line = waitingLine(event, paintFor({ isTTY: false }))
    assert.match(line, expected)
    assert.doesNotMatch(line, /[\p{Cc}\u202e]/u, fact.kind)
  }
})
