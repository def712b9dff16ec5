import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { ownState } from '../../test/support/own-state.ts'
import { type Event, memoryJournal, resume, run, scripted, TaoError, tool } from '../index.ts'

const folder = await ownState('library')

const weather = tool({
  name: 'weather',
  description: 'The temperature in a town, in degrees Celsius.',
  input: z.object({ town: z.string() }),
  effects: 'read',
  run: ({ town }) => ({ town: town.toUpperCase(), degrees: 21 }),
})

const asking = () =>
  scripted([{ calls: [{ name: 'weather', arguments: { town: 'Oslo' } }] }, { text: 'Yes: 21 degrees.' }])

test('a program runs an agent with its own tool and reads how it ended', async () => {
  const model = asking()
  const outcome = await run('Is it warm in Oslo?', { model, tools: [weather] })
  assert.deepEqual([outcome.status, outcome.answer, outcome.changes], ['answered', 'Yes: 21 degrees.', undefined])
  model.assertFinished()
  const observation = model.requests[1]?.messages.at(-1)
  assert.equal(observation?.text, '{"town":"OSLO","degrees":21}')
})

test('a run with a workspace goes on in the process that began it', async () => {
  const project = join(folder, 'goes-on')
  await mkdir(project)
  const journal = memoryJournal()
  const options = { workspace: project, tools: ['write_file', 'read_file'], journal }
  const write = { calls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'one' } }] }
  const first = await run('Write.', { ...options, model: scripted([write, write]), limits: { modelCalls: 1 } })
  assert.equal(first.status, 'limit')
  const read = { calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }
  const model = scripted([read, { text: 'It says one.' }])
  const second = await resume(first.run, { ...options, model, limits: { modelCalls: 5 } })
  assert.equal(second.status, 'answered')
  await second.changes?.apply()
  assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'one')
})

test('a journal that is given holds the run and stays open', async () => {
  const journal = memoryJournal()
  const events: Event[] = []
  const { run: id } = await run('x', {
    model: asking(),
    tools: [weather],
    journal,
    onEvent: (event) => events.push(event),
  })
  assert.deepEqual(await journal.read(id), events)
  assert.equal(events.at(-1)?.kind, 'run.ended')
})

test('who listens to pieces of replies gets them without asking for a stream', async () => {
  let heard = ''
  const { answer } = await run('x', {
    model: scripted([{ text: 'All is well.' }]),
    onDelta: ({ text }) => (heard += text),
  })
  assert.equal(heard, answer)
})

test('a signal cancels, limits may be typed with their unit', async () => {
  const cancelled = await run('x', { model: asking(), signal: AbortSignal.abort('the caller') })
  assert.deepEqual([cancelled.status, cancelled.reason], ['cancelled', 'Cancelled by the caller.'])
  const events: Event[] = []
  await run('x', {
    model: asking(),
    tools: [weather],
    limits: { wallTime: '10m' },
    onEvent: (event) => events.push(event),
  })
  assert.equal(events[0]?.kind === 'run.started' && events[0].limits.wallTime, 600_000)
})

test('misuse is thrown before anything runs', async () => {
  const model = () => scripted([])
  const misuse = [
    run('x', { model: 'nope/x' }),
    run('x', { model: model(), tools: ['bsh'], workspace: '.' }),
    run('x', { model: model(), tools: ['bash'] }),
    run('x', { model: model(), tools: [weather, weather] }),
    run('x', { model: model(), limits: { modelCalls: 0 } }),
    run('x', { model: model(), limits: { wallTime: 'soon' } }),
    run('x', { model: model(), workspace: '/nowhere/at/all' }),
  ]
  for (const each of misuse) await assert.rejects(each, TaoError)
})

test('a run on a folder works on a copy, proves its result, and applies it when told to', async () => {
  await mkdir(join(folder, 'project'))
  await writeFile(join(folder, 'project/a.txt'), 'one\n')
  const model = scripted([
    { calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] },
    { calls: [{ name: 'edit', arguments: { path: 'a.txt', old_text: 'one', new_text: 'two' } }] },
    { text: 'Changed.' },
  ])
  const criterion = {
    name: 'the answer is short',
    check: async ({ answer }: { answer: string }) => ({ holds: answer.length < 20, detail: '' }),
  }
  const outcome = await run('Change it.', {
    model,
    workspace: join(folder, 'project'),
    done: [{ command: 'grep -q two a.txt' }, criterion],
  })
  assert.deepEqual([outcome.status, outcome.changed], ['success', ['a.txt']], outcome.reason)
  assert.equal(await readFile(join(folder, 'project/a.txt'), 'utf8'), 'one\n')
  assert.match((await outcome.changes?.diff()) ?? '', /^-one\n\+two$/m)
  assert.deepEqual(await outcome.changes?.apply(), [{ path: 'a.txt', kind: 'changed' }])
  assert.equal(await readFile(join(folder, 'project/a.txt'), 'utf8'), 'two\n')
})
