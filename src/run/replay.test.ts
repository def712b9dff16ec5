import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { calling, callOf, saying } from '../../test/support/bench.ts'
import {
  approvals,
  endOf,
  expectSame,
  kindsIn,
  partsWith,
  permission,
  recorded,
  SPEC,
} from '../../test/support/replayed.ts'
import { scripted } from '../model/scripted.ts'
import { deepResearchIn } from '../protocol/deep-research.ts'
import { EN } from '../protocol/prompts/en.ts'
import { tagged } from '../protocol/tagged.ts'
import { thoughtAction } from '../protocol/thought-action.ts'
import { advance } from './advance.ts'
import { answerApproval } from './answer-approval.ts'
import { record } from './record.ts'
import { replay } from './replay.ts'
import { resume } from './resume.ts'
import { startRun } from './start.ts'
import { takeUp } from './take-up.ts'

describe('what was recorded is made again', () => {
  test('a run that ends by a limit, and one whose replies are malformed', async () => {
    const limited = await recorded(partsWith([calling('look'), calling('look'), saying('So far.')]), { modelCalls: 2 })
    assert.equal(endOf(limited), 'modelCalls')
    await expectSame(limited)
    const broken = await recorded(partsWith([saying(''), saying(''), saying('')]))
    assert.equal(endOf(broken), 'malformedReplies')
    assert.ok(kindsIn(broken).has('reply.malformed'))
    await expectSame(broken)
  })

  test('a run with refusals, a repeated call, and a service that fails', async () => {
    const run = await recorded(
      partsWith([
        { calls: [callOf('nothing'), callOf('look', '{"a":'), callOf('look', {}, 'x'), callOf('look', {}, 'x')] },
        { error: { status: 500, body: 'down' } },
      ]),
    )
    assert.deepEqual([kindsIn(run).has('call.refused'), kindsIn(run).has('model.failed')], [true, true])
    await expectSame(run)
  })

  test('a cancelled run', async () => {
    const stop = new AbortController()
    const parts = partsWith([calling('look'), saying('never asked')], {
      onEvent: ({ kind }) => kind === 'call.finished' && stop.abort(new Error('a person')),
    })
    await advance(await startRun(SPEC, parts), stop.signal)
    const run = { events: await parts.journal.read('run-1'), parts, spec: SPEC }
    assert.equal(endOf(run), 'cancelled')
    await expectSame(run)
  })

  test('calls that came as text, a protocol in text, and the messages of another agent', async () => {
    const asText = '<tool_call>{"name": "look", "arguments": {}}</tool_call>'
    const dialect = await recorded(partsWith([saying(asText), saying('Done.')]))
    assert.ok(dialect.events.some((event) => event.kind === 'model.replied' && event.dialect !== undefined))
    await expectSame(dialect)
    const text = await recorded(
      partsWith([saying(`<think>so</think>${asText}`), saying('<answer>Done.</answer>')], { protocol: tagged }),
    )
    assert.equal(endOf(text), 'answered')
    await expectSame(text)
    const compat = await recorded(
      partsWith([saying(asText), saying('<answer>Done.</answer>')], { protocol: deepResearchIn(EN) }),
    )
    assert.equal(endOf(compat), 'answered')
    await expectSame(compat)
  })

  test('a call that waits, is approved in another process, and is run', async () => {
    const parts = partsWith([calling('send', { to: 'Anna' }), saying('Sent.')], { permission: permission(), approvals })
    const parked = await recorded(parts)
    assert.equal(endOf(parked), 'run.parked')
    await expectSame(parked)
    const taken = takeUp('run-1', parked.events, parts)
    const [open] = taken.state.calls
    const given = await answerApproval(taken, open?.call.id ?? '', {
      decision: 'approve' as const,
      by: 'Ada',
      from: 'terminal',
    })
    const run = await resume(taken, { reason: 'approved', spec: {} })
    await record(run, given)
    await advance(run, new AbortController().signal)
    const done = { ...parked, events: await parts.journal.read('run-1') }
    assert.equal(endOf(done), 'answered')
    assert.ok(kindsIn(done).has('approval.given'))
    await expectSame(done)
  })

  test('a run that goes on in another protocol, with another model, after a new word', async () => {
    const first = await recorded(partsWith([calling('look'), saying('One.')]))
    const other = {
      ...first.parts,
      protocol: thoughtAction,
      model: scripted([saying('Final Answer: Two.')], { name: 'scripted/other' }),
    }
    const words = [{ kind: 'typed', text: 'Again.' } as const]
    const run = await resume(takeUp('run-1', first.events, other), { reason: 'more', spec: {}, words })
    await advance(run, new AbortController().signal)
    const done = { ...first, events: await other.journal.read('run-1') }
    assert.equal(endOf(done), 'answered')
    await expectSame(done, async () => other)
    const { difference } = await replay({ ...done, partsFrom: async () => ({ ...other, protocol: tagged }) })
    assert.deepEqual([difference?.kind, difference?.field, difference?.now], ['run.resumed', 'protocol', 'tagged'])
  })
})
