import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { reply as policy } from '../examples/scripted/fix-failing-test.ts'
import { type Event, type RunTaskOptions, run, scripted } from '../src/index.ts'
import { speaking } from './support/speaking.ts'

const SHOP = join(import.meta.dirname, '../examples/01-fix-failing-test')
const PROTECT = ['tests', 'shop/settings.json']

/** Requests and replies are where protocols differ; steps differ with them, where a protocol has one action a reply. */
const ENCODING: ReadonlySet<Event['kind']> = new Set(['request.sent', 'model.replied'])
/** What differs from run to run, or is the encoding itself. */
const OF_ONE_RUN: ReadonlySet<string> = new Set([
  ...[
    'run',
    'seq',
    'at',
    'step',
    'durationMs',
    'tree',
    'digest',
    'sha256',
    'lastChange',
    'usage',
    'modelCalls',
    'work',
    'workspace',
  ],
  ...['from', 'protocol', 'system', 'head', 'instructionsHash', 'toolsHash'],
])

/** The trace without its encoding: what happened beside calls, in order, and what happened to each call, in order. */
function withoutEncoding(events: readonly Event[]) {
  const asked = events.flatMap((event) => (event.kind === 'model.replied' ? event.calls : []))
  const place = new Map(asked.map(({ id }, at) => [id, `call ${at}`]))
  const told = events
    .filter(({ kind }) => !ENCODING.has(kind))
    .map((event) => JSON.parse(JSON.stringify(event, (key, value) => plain(key, value, place))) as { call?: string })
  return {
    calls: asked.map(({ name, arguments: text }) => [name, JSON.parse(text)]),
    beside: told.filter(({ call }) => call === undefined),
    ofCalls: asked.map((_, at) => told.filter(({ call }) => call === `call ${at}`)),
  }
}

function plain(key: string, value: unknown, place: ReadonlyMap<string, string>): unknown {
  if (OF_ONE_RUN.has(key)) return undefined
  if (typeof value !== 'string') return value
  return place.get(value) ?? value.replaceAll(/in \d+\.\d+s/g, 'in … s')
}

async function traceOf(protocol: NonNullable<RunTaskOptions['protocol']>) {
  const events: Event[] = []
  const outcome = await run('Find why the test fails, fix the implementation and verify it with the tests.', {
    model: scripted(speaking(protocol, policy)),
    protocol,
    workspace: { path: SHOP, protect: PROTECT },
    tools: ['list_files', 'read_file', 'edit', 'bash'],
    done: [{ command: 'python3 -m unittest discover -s tests' }, { unchanged: PROTECT }],
    onEvent: (event) => events.push(event),
  })
  assert.equal(outcome.status, 'success', protocol)
  assert.deepEqual(outcome.changed, ['shop/delivery.py'], protocol)
  return withoutEncoding(events)
}

test('example 01 succeeds over all four protocols, and the traces differ only in how calls are written', async () => {
  const native = await traceOf('native')
  assert.ok(native.calls.length >= 4 && native.beside.length >= 5)
  assert.ok(native.ofCalls.every((events) => events.length >= 3))
  for (const protocol of ['tagged', 'thought-action', 'agent-calls'] as const)
    assert.deepEqual(await traceOf(protocol), native, protocol)
})
