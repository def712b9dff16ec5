import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { calling, saying } from '../../test/support/bench.ts'
import {
  approvals,
  expectSame,
  POLICY,
  partsWith,
  permission,
  type Recorded,
  recorded,
  tools,
} from '../../test/support/replayed.ts'
import type { Event } from '../core/event.ts'
import { scripted } from '../model/scripted.ts'
import { loadPolicy } from '../policy/load.ts'
import { tagged } from '../protocol/tagged.ts'
import type { Difference } from './difference.ts'
import { replay } from './replay.ts'
import type { Parts } from './run.ts'

describe('the first difference is named', () => {
  const usual = () =>
    recorded(
      partsWith([calling('look'), calling('send', { to: 'Bo' }), saying('Done.')], {
        permission: permission(),
        approvals: {
          ...approvals,
          ask: async (cards) =>
            cards.map(({ call }) => ({ id: call, decision: 'approve' as const, by: 'Ada', from: 'terminal' })),
        },
      }),
    )

  const changed = async (run: Recorded, parts: Partial<Parts>): Promise<Difference | undefined> =>
    (await replay({ ...run, parts: { ...run.parts, ...parts } })).difference

  // https://github.com/pydantic/pydantic-ai/issues/5875
  // https://github.com/BerriAI/litellm/pull/37525
  test('a policy, a tool, a protocol and a model that are not what they were', async () => {
    const run = await usual()
    await expectSame(run)
    const strict = {
      tools: { ...POLICY.tools, look: { ...POLICY.tools.look, floor: 'ask', runs: [], asks: [{ args: {} }] } },
    }
    const policy = await changed(run, { permission: { ...permission(), policy: loadPolicy(strict) } })
    assert.deepEqual([policy?.seq, policy?.field], [0, 'policyHash'])
    const [look] = tools
    assert.ok(look !== undefined)
    const described = { ...look, definition: { ...look.definition, description: 'looks closely' } }
    const tool = await changed(run, { tools: new Map([...run.parts.tools, ['look', described]]) })
    assert.deepEqual([tool?.seq, tool?.kind], [0, 'run.started'])
    const protocol = await changed(run, { protocol: tagged })
    assert.deepEqual([protocol?.field, protocol?.recorded, protocol?.now], ['protocol', 'native', 'tagged'])
    const model = await changed(run, { model: scripted([], { name: 'scripted/other' }) })
    assert.equal(model?.field, 'model')
    const warmer = await replay({ ...run, spec: { ...run.spec, temperature: 1 } })
    assert.deepEqual([warmer.difference?.seq, warmer.difference?.field], [0, 'head'])
  })

  /** What the record would have been, had this event been another one. */
  const rewritten = async (run: Recorded, kind: Event['kind'], edit: object): Promise<Difference | undefined> => {
    const at = run.events.findIndex((event) => event.kind === kind)
    assert.notEqual(at, -1, kind)
    const events = run.events.map((event, seq) => (seq === at ? ({ ...event, ...edit } as Event) : event))
    const { difference } = await replay({ ...run, events })
    assert.ok(difference === undefined || difference.seq >= at)
    return difference
  }

  test('each kind of thing that Tao decides, at its event and field', async () => {
    const run = await usual()
    const cases: readonly (readonly [Event['kind'], object, string])[] = [
      ['run.started', { system: 'Something else.' }, 'system'],
      ['request.sent', { sha256: 'another' }, 'sha256'],
      ['call.cleared', { effects: ['egress'] }, 'effects'],
      ['call.parked', { reason: 'Because.' }, 'reason'],
      ['claim.made', { answer: 'Another.' }, 'answer'],
    ]
    for (const [kind, edit, field] of cases) {
      const difference = await rewritten(run, kind, edit)
      assert.deepEqual([difference?.kind, difference?.field], [kind, field], kind)
    }
    const ended = run.events.at(-1)
    assert.ok(ended?.kind === 'run.ended')
    const end = await rewritten(run, 'run.ended', { outcome: { ...ended.outcome, reason: 'It felt done.' } })
    assert.deepEqual([end?.kind, end?.field, end?.recorded], ['run.ended', 'outcome.reason', 'It felt done.'])
  })

  test('what came from outside is taken as it stands, and shows in what follows from it', async () => {
    const run = await usual()
    const difference = await rewritten(run, 'call.finished', { observation: 'seen otherwise' })
    assert.deepEqual([difference?.kind, difference?.field], ['request.sent', 'bytes'])
  })

  test('an event that would not follow, and one that is missing', async () => {
    const run = await usual()
    const cleared = run.events.findIndex(({ kind }) => kind === 'call.cleared')
    const without = run.events.filter((_, seq) => seq !== cleared).map((event, seq) => ({ ...event, seq }))
    const { difference } = await replay({ ...run, events: without })
    assert.deepEqual([difference?.seq, difference?.field, difference?.now], [cleared, 'kind', 'call.cleared'])
  })

  // https://github.com/lacs-project/sysknife/issues/182
  // https://github.com/sipyourdrink-ltd/bernstein/pull/1865
  test('time that passed otherwise is no difference', async () => {
    const run = await usual()
    const later = run.events.map((event) =>
      'durationMs' in event ? ({ ...event, durationMs: 9_999 } as Event) : event,
    )
    await expectSame({ ...run, events: later })
  })
})
