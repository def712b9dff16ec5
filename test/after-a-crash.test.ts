import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { type Journal, memoryJournal, resume, run, scripted, type Tool, tool } from '../src/index.ts'
import { calling, saying } from './support/bench.ts'
import { endedAtStart } from './support/ended.ts'
import { ownState } from './support/own-state.ts'

await ownState('crash')

/*
 * A process was ended right after a call had started. The next one looks at the place that the call would have changed: what is
 * as it was before is done now, what is not was done.
 */

interface Place {
  value: string
  runs: number
}

const write = (place: Place, more: Partial<Tool> = {}): Tool => ({
  ...tool({
    name: 'put',
    description: 'Puts.',
    input: z.object({}),
    effects: 'write',
    fingerprint: () => place.value,
    run: () => {
      place.value = 'new'
      place.runs += 1
      return 'put'
    },
  }),
  ...more,
})

/** A run whose process was ended within its first call. Whether the call had taken effect is for `place` to say. */
async function endedWithin(put: Tool, more: object = {}): Promise<{ id: string; journal: Journal }> {
  const whole = memoryJournal()
  const model = scripted([calling('put'), saying('Done.')])
  const { run: id } = await run('Put.', { ...more, model, tools: [put], journal: whole })
  return { id, journal: endedAtStart(await whole.read(id)) }
}

async function goOn(put: Tool, { id, journal }: { id: string; journal: Journal }, more: object = {}) {
  await resume(id, { ...more, model: scripted([saying('Done.')]), tools: [put], journal })
  return (await journal.read(id)).flatMap((event) => (event.kind === 'call.finished' ? [event] : []))
}

test('what is as it was before the call is done now: the call had not taken effect', async () => {
  const place = { value: 'old', runs: 0 }
  const ended = await endedWithin(write(place))
  Object.assign(place, { value: 'old', runs: 0 })
  const [finished] = await goOn(write(place), ended)
  assert.deepEqual([finished?.ok, finished?.observation, finished?.outcomeUnknown], [true, 'put', undefined])
  assert.equal(place.runs, 1)
})

test('what is not as it was before the call was done by it: it is not done again', async () => {
  const place = { value: 'old', runs: 0 }
  const ended = await endedWithin(write(place))
  const [finished] = await goOn(write(place), ended)
  assert.equal(finished?.observation, 'Tao was ended while this call ran. It took effect; what it said is lost.')
  assert.deepEqual([finished?.ok, finished?.outcomeUnknown, place.runs], [true, undefined, 1])
})

test('a probe words what came of a call that took effect', async () => {
  const place = { value: 'old', runs: 0 }
  const put = write(place, { probe: async () => ({ ok: true, text: 'put, as the log says' }) })
  const [finished] = await goOn(put, await endedWithin(put))
  assert.equal(finished?.observation, 'put, as the log says')
})

test('a place that cannot be looked at leaves the outcome unknown, and stops nothing', async () => {
  const place = { value: 'old', runs: 0 }
  const ended = await endedWithin(write(place))
  for (const fingerprint of [async () => undefined, () => Promise.reject(new Error('no way there'))]) {
    const journal = endedAtStart(await ended.journal.read(ended.id))
    const [finished] = await goOn(write(place, { fingerprint }), { id: ended.id, journal })
    assert.deepEqual([finished?.ok, finished?.outcomeUnknown, place.runs], [false, true, 1])
  }
})

test('a call that may be repeated is not repeated under a policy that would not have let it start', async () => {
  const examples = { runs: [{ args: {} }], denies: [{ args: { x: 1 } }] }
  const policy = { tools: { put: { effects: ['write'], args: {}, ...examples } } }
  const asking = {
    tools: { put: { effects: ['write'], args: {}, floor: 'ask', asks: examples.runs, denies: examples.denies } },
  }
  const approvals = { approvalKey: 'a key', approve: () => ({ decision: 'deny' as const, by: 'test' }) }
  const place = { value: 'old', runs: 0 }
  const put = write(place, { repeatable: true, fingerprint: async () => undefined })
  const [again] = await goOn(put, await endedWithin(put, { policy }), { policy })
  assert.deepEqual([again?.observation, place.runs], ['put', 2])
  const [other] = await goOn(put, await endedWithin(put, { policy }), { policy: asking, ...approvals })
  assert.deepEqual([other?.outcomeUnknown, place.runs], [true, 3])
})

test('what cannot be undone and is seen not to have happened is run again only when a person says so', async () => {
  const examples = { asks: [{ args: {} }], denies: [{ args: { x: 1 } }] }
  const policy = { tools: { put: { effects: ['irreversible'], args: {}, floor: 'ask', ...examples } } }
  for (const [decision, runs] of [
    ['deny', 0],
    ['approve', 1],
  ] as const) {
    const place = { value: 'old', runs: 0 }
    const put = write(place, { effects: ['irreversible'] })
    const asked: (true | undefined)[] = []
    const ended = await endedWithin(put, {
      ...{ policy, approvalKey: 'a key' },
      approve: () => ({ decision: 'approve' as const, by: 'test' }),
    })
    Object.assign(place, { value: 'old', runs: 0 })
    await goOn(put, ended, {
      ...{ policy, approvalKey: 'a key' },
      approve: (card: { outcomeUnknown?: true }) => {
        asked.push(card.outcomeUnknown)
        return { decision, by: 'test' }
      },
    })
    assert.deepEqual([asked, place.runs], [[true], runs])
  }
})

test('of a file in the working copy nothing is unknown: an edit is seen to have been made, or is made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tao-crash-'))
  writeFileSync(join(folder, 'a.txt'), 'one\n')
  const options = { workspace: folder, tools: ['edit', 'bash'] }
  const whole = memoryJournal()
  const edits = calling('edit', { path: 'a.txt', old_text: 'one', new_text: 'one one' })
  const model = scripted([edits, saying('Done.')])
  const { run: id } = await run('Edit.', { ...options, model, journal: whole })
  const events = await whole.read(id)
  const [started] = events
  const file = join((started?.kind === 'run.started' && started.workspace?.copy) || '', 'a.txt')
  for (const [text, observation] of [
    ['one one\n', /It took effect/],
    ['one\n', /^a\.txt: edited/],
  ] as const) {
    writeFileSync(file, text)
    const journal = endedAtStart(events)
    await resume(id, { ...options, model: scripted([saying('Done.')]), journal })
    const [finished] = (await journal.read(id)).flatMap((event) => (event.kind === 'call.finished' ? [event] : []))
    assert.match(finished?.observation ?? '', observation)
    assert.deepEqual([finished?.ok, finished?.files], [true, ['a.txt']])
    assert.equal(readFileSync(file, 'utf8'), 'one one\n')
  }
  rmSync(folder, { recursive: true })
})

test('of a command it is told which files it has changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tao-crash-'))
  writeFileSync(join(folder, 'a.txt'), 'one\n')
  const options = { workspace: folder, tools: ['bash'] }
  const whole = memoryJournal()
  const model = scripted([calling('bash', { command: 'echo two > b.txt; echo three > c.txt' }), saying('Done.')])
  const { run: id } = await run('Write.', { ...options, model, journal: whole })
  const journal = endedAtStart(await whole.read(id))
  await resume(id, { ...options, model: scripted([saying('Done.')]), journal })
  const [finished] = (await journal.read(id)).flatMap((event) => (event.kind === 'call.finished' ? [event] : []))
  assert.match(
    finished?.observation ?? '',
    /not known: look before you do it again. Files .* changed: b\.txt, c\.txt\.$/,
  )
  assert.equal(finished?.outcomeUnknown, true)
  rmSync(folder, { recursive: true })
})
