import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { reply as policy } from '../examples/scripted/fix-failing-test.ts'
import { type Event, type RunTaskOptions, run, scripted } from '../src/index.ts'
import { speaking } from './support/speaking.ts'

const SHOP = join(import.meta.dirname, '../examples/01-fix-failing-test')
const PROTECT = ['tests', 'shop/settings.json']

/** What was called with what, and what came of it: all that may not differ between protocols. */
async function deeds(protocol: NonNullable<RunTaskOptions['protocol']>) {
  const events: Event[] = []
  const outcome = await run('Find why the test fails, fix the implementation and verify it with the tests.', {
    model: scripted(speaking(protocol, policy)),
    protocol,
    workspace: { path: SHOP, protect: PROTECT },
    tools: ['list_files', 'read_file', 'edit', 'bash'],
    done: [{ command: 'python3 -m unittest discover -s tests' }, { unchanged: PROTECT }],
    onEvent: (event) => events.push(event),
  })
  const asked = events.flatMap((event) => (event.kind === 'model.replied' ? event.calls : []))
  const seen = events.flatMap((event) => (event.kind === 'call.finished' ? [event.observation] : []))
  return {
    status: outcome.status,
    answer: outcome.answer,
    changed: outcome.changed,
    calls: asked.map(({ name, arguments: text }) => [name, JSON.parse(text)]),
    observations: seen.map((text) => text.replaceAll(/in \d+\.\d+s/g, 'in … s')),
  }
}

test('example 01 succeeds over all four protocols, and the runs differ only in how calls are written', async () => {
  const native = await deeds('native')
  assert.equal(native.status, 'success')
  assert.deepEqual(native.changed, ['shop/delivery.py'])
  for (const protocol of ['tagged', 'thought-action', 'agent-calls'] as const)
    assert.deepEqual(await deeds(protocol), native, protocol)
})
