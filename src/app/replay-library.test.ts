import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calling, plainTool, saying } from '../../test/support/bench.ts'
import type { Event } from '../core/event.ts'
import { DEFAULT_LIMITS } from '../core/limits.ts'
import { memoryJournal } from '../journal/memory.ts'
import { scripted } from '../model/scripted.ts'
import { replayFixture } from './fixture.ts'
import { otherRunsIn } from './other-runs.ts'
import { replay, run } from './run-task.ts'

const look = plainTool('look', 'read', () => 'seen')

test('a program replays its runs with the options that it started them with, and hears what would differ', async () => {
  const journal = memoryJournal()
  const model = scripted([calling('look'), saying('Done.')])
  const options = { model, journal, tools: [look], instructions: 'Be brief.', limits: { modelCalls: 5 } }
  const { run: id, status } = await run('Look.', options)
  assert.equal(status, 'answered')
  const same = await replay(id, options)
  assert.deepEqual([same.difference, same.requests], [undefined, 2])
  assert.equal((await replay(await journal.read(id), { ...options, model: 'scripted/script' })).difference, undefined)
  const other = await replay(id, { ...options, instructions: 'Be thorough.' })
  assert.deepEqual([other.difference?.seq, other.difference?.field], [0, 'system'])
  assert.equal(model.requests.length, 2, 'nothing was asked again')
  await assert.rejects(replay('nobody', options), /does not begin with its start/)
  await assert.rejects(replayFixture('no-such-file.jsonl'), /is no fixture/)
})

test('what a fork has from its parent counts once among what a client has used up', async () => {
  const journal = memoryJournal()
  const put = (id: string, events: readonly object[]): void => {
    const stamp = (seq: number) => ({ run: id, seq, at: new Date(seq).toISOString() })
    for (const [seq, fact] of events.entries()) journal.append({ ...fact, ...stamp(seq) } as Event)
  }
  const started = { kind: 'run.started', client: 'local', task: '', model: '', limits: DEFAULT_LIMITS }
  const call = { kind: 'call.started', call: 'c', name: 'pay' }
  put('parent', [started, call])
  put('fork', [
    { ...started, parent: { run: 'parent', step: 1, events: 2 } },
    call,
    { kind: 'run.resumed', reason: '' },
  ])
  put('orphan', [{ ...started, parent: { run: 'removed', step: 1, events: 2 } }, call])
  const others = await otherRunsIn(journal, { client: 'local', run: 'asking' })(0)
  assert.deepEqual(
    others.map((events) => [events[0]?.run ?? '', events.filter(({ kind }) => kind === 'call.started').length]),
    [
      ['orphan', 1],
      ['fork', 0],
      ['parent', 1],
    ],
  )
})
