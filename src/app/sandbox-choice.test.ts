import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Event, FactOf } from '../core/event.ts'
import { scripted } from '../model/scripted.ts'
import { tempFolder, writeTree } from '../sandbox/sandbox.contract.ts'
import { run } from './run-task.ts'
import { expectBackend } from './sandbox-choice.ts'
import { parseTaskFile } from './task-file.ts'
import type { RunTaskOptions } from './task-options.ts'
import { readTaskRequest } from './task-request.ts'

const PROBLEMS: readonly (readonly [entry: string, said: RegExp])[] = [
  ['https://registry.example', /a\.yaml:2:11: "network\[0\]" must be a host such as .*scheme/],
  ['10.0.0.1', /is an address: name the host instead/],
  ['a.*.example', /"\*" that is not the whole first part/],
  ['"*.org"', /too wide/],
  ['localhost', /this machine itself/],
  ['registry.example:0', /not between 1 and 65535/],
]
for (const [entry, said] of PROBLEMS)
  test(`a task that may reach ${entry} is refused where it stands`, () => {
    assert.throws(() => parseTaskFile(`task: x\nnetwork: [${entry}]\n`, 'a.yaml'), { message: said })
  })

test('hosts are names, wildcards and ports; the sandbox is one of two', () => {
  const text =
    'task: x\nnetwork: [registry.example, "*.example.org", "host.example:8443"]\nsandbox: { backend: external }\n'
  const { network, sandbox } = parseTaskFile(text, 'a.yaml')
  assert.deepEqual(network, ['registry.example', '*.example.org', 'host.example:8443'])
  assert.equal(sandbox?.backend, 'external')
  const wrong = 'task: x\nsandbox: { backend: docker }\n'
  assert.throws(() => parseTaskFile(wrong, 'a.yaml'), { message: /one of bubblewrap, external/ })
  assert.throws(() => expectBackend('none'), { code: 'usage', fix: /bubblewrap, external/ })
})

test('a backend that is said for this run wins over the task file, and nothing chooses external by itself', async () => {
  assert.equal((await readTaskRequest('x', { folder: '/' })).sandbox, undefined)
  assert.equal((await readTaskRequest('x', { folder: '/', backend: 'external' })).sandbox?.backend, 'external')
})

/** A run that calls bash once and answers; its folder is below a place that every user can reach. */
async function runOnce(command: string, more: RunTaskOptions) {
  const folder = tempFolder()
  const source = join(folder.path, 'source')
  mkdirSync(source)
  writeTree(source, { 'a.txt': 'a\n', 'tests/t.txt': 't\n' })
  process.env.TAO_HOME = join(folder.path, 'state')
  const events: Event[] = []
  const model = scripted([{ calls: [{ name: 'bash', arguments: { command } }] }, { text: 'Done.' }])
  const options = {
    model,
    workspace: { path: source, protect: ['tests'] },
    onEvent: (event: Event) => events.push(event),
  }
  const result = await run('Do it.', { ...options, ...more })
  const of = <K extends Event['kind']>(kind: K) => events.find((event) => event.kind === kind) as FactOf<K> | undefined
  return { result, of, source, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

test('a run says what it ran in and which hosts it may reach, and the model is told which one was refused', async () => {
  const network = ['registry.invalid']
  await using done = await runOnce('curl -s http://example.com/; curl -s http://registry.invalid/', { network })
  const started = done.of('run.started')
  assert.equal(started?.sandbox, 'bubblewrap')
  assert.deepEqual(started?.network, network)
  assert.match(started?.system ?? '', /reach these hosts only.*registry\.invalid/)
  assert.equal(done.result.sandbox, 'bubblewrap')
  const { observation = '' } = done.of('call.finished') ?? {}
  assert.match(observation, /network: example\.com:80 was not reached: it is not in the "network" list/)
  assert.match(observation, /network: registry\.invalid:80 was not reached: its name could not be looked up/)
})

test('without a list a run has no network, and its record none either', async () => {
  await using done = await runOnce('curl -sS --max-time 3 http://example.com/', {})
  const started = done.of('run.started')
  assert.equal(started !== undefined && 'network' in started, false)
  assert.match(started?.system ?? '', /without network/)
  assert.match(done.of('call.finished')?.observation ?? '', /Could not resolve host/)
})

test('external is in the record and in the outcome, works on the copy, and its tools find their files', async () => {
  const sandbox = { backend: 'external' } as const
  await using done = await runOnce('pwd; cat a.txt; echo b >b.txt', { sandbox })
  const { result } = done
  assert.equal(result.status, 'answered', result.reason)
  assert.equal(result.sandbox, 'external')
  assert.equal(done.of('run.started')?.sandbox, 'external')
  assert.match(done.of('run.started')?.system ?? '', new RegExp(`files are in ${result.changes?.copy}`))
  assert.match(done.of('call.finished')?.observation ?? '', /\/copy\na\n?$/)
  assert.deepEqual(result.changed, ['b.txt'])
  await result.changes?.apply()
  assert.equal(readFileSync(join(done.source, 'b.txt'), 'utf8'), 'b\n')
})

test('external: the tools for files and the checks of a task work as in any sandbox', async () => {
  const sandbox = { backend: 'external' } as const
  const calls = [
    { name: 'read_file', arguments: { path: 'a.txt' } },
    { name: 'edit', arguments: { path: 'a.txt', old_text: 'a', new_text: 'z' } },
  ]
  const model = scripted([{ calls }, { text: 'Done.' }])
  await using done = await runOnce('', { sandbox, model, done: [{ command: 'grep z a.txt && test -e tests/t.txt' }] })
  assert.equal(done.result.status, 'success', JSON.stringify(done.result))
  assert.deepEqual(done.result.changed, ['a.txt'])
})

test('external: a command that changes what is protected ends the run as blocked', async () => {
  await using done = await runOnce('mv tests old && cp -r old tests', { sandbox: { backend: 'external' } })
  assert.equal(done.result.status, 'blocked')
  assert.match(done.result.reason, /changed what is protected: tests/)
  assert.equal(done.result.sandbox, 'external')
})

test('external keeps nobody to a list of hosts, so both together are refused before anything starts', async () => {
  const both = { network: ['a.example'], sandbox: { backend: 'external' } as const }
  await assert.rejects(runOnce('true', both), { code: 'network' })
})
