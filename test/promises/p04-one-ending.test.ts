import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Criterion } from '../../src/judge/criterion.ts'
import { advance } from '../../src/run/advance.ts'
import { SandboxError } from '../../src/sandbox/sandbox.ts'
import { type BenchOptions, calling, plainTool, runScript, saying } from '../support/bench.ts'
import { givenTree } from '../support/given-tree.ts'

const never: Criterion = { name: 'never', check: async () => ({ holds: false, detail: 'no' }) }
const always: Criterion = { name: 'always', check: async () => ({ holds: true, detail: 'yes' }) }
const noSandbox: Criterion = {
  name: 'no sandbox',
  check: async () => {
    throw new SandboxError('bwrap is gone', 'apt-get install bubblewrap')
  },
}
const lost = plainTool('lost', 'write', () => {
  throw new SandboxError('bwrap is gone', 'apt-get install bubblewrap')
})
const refusedByService = { error: { status: 401, body: '{"error":{"message":"bad key"}}' } }

const endings: Record<string, [BenchOptions, string, RegExp]> = {
  'a proved claim': [{ script: [saying('done')], criteria: [always] }, 'success', /Every criterion/],
  'a claim with nothing to prove': [{ script: [saying('done')] }, 'answered', /no criteria/],
  'claims that are rejected': [{ script: () => saying('done'), criteria: [never] }, 'failed', /rejectedClaims/],
  'a service that refuses': [{ script: [refusedByService] }, 'failed', /bad key/],
  'a sandbox that is lost in a call': [{ script: [calling('lost')], tools: [lost] }, 'blocked', /bwrap is gone/],
  'a sandbox that is lost in a check': [{ script: [saying('x')], criteria: [noSandbox] }, 'blocked', /bwrap is gone/],
  'refusals over the limit': [{ script: () => calling('nothing'), limits: { repeats: 99 } }, 'blocked', /refusals/],
  'a limit': [{ script: () => calling('nothing'), limits: { modelCalls: 2 } }, 'limit', /modelCalls/],
  'a cancelled run': [{ script: [], signal: AbortSignal.abort(new Error('the user')) }, 'cancelled', /the user/],
}

for (const [name, [options, status, reason]] of Object.entries(endings)) {
  test(`${name} ends as "${status}", in exactly one terminal event, the last`, async () => {
    const trace = await runScript(options)
    assert.equal(trace.outcome.status, status)
    assert.match(trace.outcome.reason, reason)
    assert.equal(trace.all('run.ended').length, 1)
    assert.equal(trace.events.at(-1)?.kind, 'run.ended')
    assert.deepEqual(
      trace.events.map(({ seq }) => seq),
      trace.events.map((_, index) => index),
    )
  })
}

test('a part that breaks its contract ends the run as blocked and says what happened', async () => {
  const broken = { ...plainTool('broken', 'read', () => ''), validate: () => Promise.reject(new TypeError('oops')) }
  const trace = await runScript({ script: [calling('broken')], tools: [broken] })
  assert.equal(trace.outcome.status, 'blocked')
  assert.match(trace.outcome.reason, /oops/)
  assert.equal(trace.all('run.ended').length, 1)
})

test('a listener that throws changes nothing', async () => {
  const warnings: Error[] = []
  const collect = (warning: Error) => warnings.push(warning)
  process.on('warning', collect)
  const onEvent = () => {
    throw new Error('a bad listener')
  }
  const trace = await runScript({ script: [saying('done')], onEvent })
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', collect)
  assert.equal(trace.outcome.status, 'answered')
  assert.match(warnings[0]?.message ?? '', /a bad listener/)
})

test('a run that has ended stays as it is when it is advanced again', async () => {
  const trace = await runScript({ script: [saying('done')] })
  assert.equal(await advance(trace.run, AbortSignal.abort()), trace.outcome)
  assert.equal((await trace.run.parts.journal.read('run-1')).length, trace.events.length)
})

test('a working copy that cannot be listed does not keep a run from its one ending', async () => {
  await using given = await givenTree({ 'a.txt': 'a' })
  const workspace = { ...given.workspace, leftOut: () => Promise.reject(new Error('the disk is gone')) }
  const trace = await runScript({ script: [saying('done')], workspace })
  assert.equal(trace.outcome.status, 'answered')
  assert.match(trace.outcome.unlisted ?? '', /could not be listed: the disk is gone/)
  assert.equal(trace.all('run.ended').length, 1)
})
