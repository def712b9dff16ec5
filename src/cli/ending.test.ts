import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../core/outcome.ts'
import { NO_USAGE } from '../core/usage.ts'
import { endingText } from './ending.ts'
import { paintFor } from './paint.ts'

const OUTCOME: Outcome = {
  status: 'success',
  reason: 'All 1 criteria hold.',
  answer: 'Done.\nSee a.py.',
  evidence: [{ criterion: 'command: npm test', holds: true, detail: 'exit 0\nmuch more' }],
  usage: { ...NO_USAGE, inputFresh: 1_000, output: 1 },
  modelCalls: 1,
  toolCalls: 2,
  durationMs: 61_000,
  changed: ['a.py'],
}
const options = { run: 'r1', command: 'tao', paint: paintFor({ isTTY: false }) }

test('the end says status, reason, answer, evidence, changes, what was spent and what to do next', () => {
  assert.equal(
    endingText(OUTCOME, options),
    `success: All 1 criteria hold.

Done.
See a.py.

checked:
  ✓ command: npm test: exit 0

changed in the working copy:
  a.py

spent: 1 model call, 2 tool calls, 1,001 tokens, 1 min 01 s

see the changes:  tao diff r1
apply it:         tao apply r1
see the steps:    tao show r1
`,
  )
})

test('of a criterion that does not hold all is shown, and the way to apply says that nothing is proved', () => {
  const evidence = [{ criterion: 'file: a', holds: false, detail: 'not\nthere' }]
  const text = endingText({ ...OUTCOME, status: 'failed', evidence }, options)
  assert.match(text, / {2}✗ file: a\n {6}not\n {6}there\n/)
  assert.match(text, /tao apply r1 --unproved\n/)
})

test('an answer cannot move the cursor', () => {
  assert.match(endingText({ ...OUTCOME, answer: '\x1b]0;x\x07' }, options), /\\x1b\]0;x\\x07/)
})

test('sentences of an answer are shown with the events that have what they say', () => {
  const support = [{ sentence: 'It costs 12.50 EUR.', from: [4, 9] }]
  assert.match(
    endingText({ ...OUTCOME, support }, options),
    /\n\nwhere the answer has it from:\n {2}It costs 12\.50 EUR\. \(event 4, 9\)\n\nchecked:/,
  )
})
