import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calling, saying } from '../support/bench.ts'
import { eventsIn, openTao } from '../support/tao-command.ts'

const SCRIPT = [calling('bash', { command: 'curl -sS https://example.com/' }), saying('Done.')]

test('the hosts that a task may reach stand in the first lines of its run', async () => {
  await using tao = await openTao({ 'a.txt': 'a\n' })
  const model = await tao.script(SCRIPT)
  const network = 'network: [registry.invalid, "*.example.org"]'
  await tao.write('reach.task.yaml', `task: Look.\nworkspace: { path: project }\ntools: [bash]\n${network}\n`)
  const run = await tao.run(['run', 'reach.task.yaml', ...model])
  assert.equal(run.code, 0, run.stderr)
  assert.match(run.stderr, /\nnetwork: commands can reach registry\.invalid, \*\.example\.org\n[\s\S]*\nstep 1/)
  const finished = (await tao.journal())[0]?.find((event) => event.kind === 'call.finished')
  assert.match(finished?.observation ?? '', /network: example\.com:443 was not reached/)
})

test('external is warned of even when all else is silent, and stands at the end', async () => {
  await using tao = await openTao({ 'a.txt': 'a\n' })
  const model = await tao.script([calling('bash', { command: 'cat a.txt' }), saying('Done.')])
  const run = await tao.run(['run', 'Look.', '--workspace', 'project', '--sandbox', 'external', '--quiet', ...model])
  assert.equal(run.code, 0, run.stderr)
  assert.match(run.stderr, /^Warning: no sandbox of Tao \(external\)/m)
  assert.match(run.stdout, /^sandbox: external/m)
})

test('external is in the first and in the last line of the events; without a word it is bubblewrap', async () => {
  await using tao = await openTao({ 'a.txt': 'a\n' })
  for (const [flags, name] of [[['--sandbox', 'external'], 'external'] as const, [[], 'bubblewrap'] as const]) {
    const model = await tao.script([saying('Done.')])
    const events = eventsIn(await tao.run(['run', 'Look.', '--json', ...flags, ...model]))
    const [first, last] = [events[0], events.at(-1)]
    assert.equal(first?.kind === 'run.started' && first.sandbox, name)
    assert.equal(last?.kind === 'run.ended' && last.outcome.sandbox, name)
  }
})

test('a sandbox that does not exist is wrong usage', async () => {
  await using tao = await openTao()
  const run = await tao.run(['run', 'Look.', '--sandbox', 'none'])
  assert.equal(run.code, 2)
  assert.match(run.stderr, /no sandbox "none"[\s\S]*bubblewrap, external/)
})
