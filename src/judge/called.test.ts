import assert from 'node:assert/strict'
import { test } from 'node:test'
import { after, recorded } from '../../test/support/recorded.ts'
import { TaoError } from '../core/error.ts'
import { type CalledOptions, called } from './called.ts'
import type { RecordedCall } from './criterion.ts'

const judge = (wish: CalledOptions, calls: readonly Partial<RecordedCall>[], lastChange = -1) =>
  called(wish).check(after({ calls: calls.map(recorded), lastChange }))
const runTest: Partial<RecordedCall> = {
  name: 'run_test',
  arguments: { test: 'login' },
  observation: '1 passed',
  exit: 0,
}

// https://github.com/tetsuo-ai/agenc-core/issues/2478
// https://github.com/tetsuo-ai/agenc-core/pull/2546
test('a call of another tool, or with other arguments, proves nothing', async () => {
  const wish = { tool: 'run_test', with: { test: 'login' } }
  assert.equal((await judge(wish, [runTest])).holds, true)
  assert.equal((await judge(wish, [{ ...runTest, name: 'read_file' }])).detail, 'No such call was made.')
  assert.equal((await judge(wish, [{ ...runTest, arguments: { test: 'logout' } }])).holds, false)
  assert.equal((await judge(wish, [{ ...runTest, arguments: undefined }])).holds, false)
  assert.equal((await judge({ tool: 'run_test', with: { test: '/^log/' } }, [runTest])).holds, true)
  assert.equal((await judge({ tool: 'run_test', with: { toString: 1 } }, [runTest])).holds, false)
})

// https://github.com/tetsuo-ai/agenc-core/pull/2464
test('a call that failed proves nothing, whether the tool or what it ran failed', async () => {
  const wish = { tool: 'run_test' }
  assert.match((await judge(wish, [{ ...runTest, ok: false }])).detail, /step 1 \(call_1_0\) failed\.$/)
  assert.match((await judge(wish, [{ ...runTest, exit: 1 }])).detail, /ended with exit code 1\.$/)
  assert.equal((await judge({ ...wish, exit: 1 }, [{ ...runTest, exit: 1 }])).holds, true)
})

test('the result must be what was asked for; one good call among others is enough', async () => {
  const wish = { tool: 'run_test', matches: '/^\\d+ passed$/' }
  assert.equal((await judge(wish, [runTest, { ...runTest, observation: '1 failed' }])).holds, true)
  const missed = await judge(wish, [{ ...runTest, observation: '1 failed' }])
  assert.match(missed.detail, /gave a result that does not match \/\^\\d\+ passed\$\/\.$/)
})

// https://github.com/NousResearch/hermes-agent/pull/56556
test('a change after the call makes it stale, unless the task says that any time will do', async () => {
  const stale = await judge({ tool: 'run_test' }, [runTest], 9)
  assert.deepEqual([stale.holds, stale.doubt], [false, 'stale'])
  assert.equal((await judge({ tool: 'run_test', fresh: false }, [runTest], 9)).holds, true)
  assert.equal((await judge({ tool: 'run_test' }, [{ ...runTest, seq: 9 }], 9)).holds, true)
})

test('the name says which call, and a pattern that cannot be read is refused', () => {
  assert.equal(
    called({ tool: 'run_test', with: { test: 'a', n: 1 }, matches: 'ok' }).name,
    'called: run_test { test: "a", n: 1 }, giving ok',
  )
  assert.throws(() => called({ tool: 'x', matches: '/(/' }), TaoError)
  assert.throws(() => called({ tool: ' ' }), TaoError)
})
