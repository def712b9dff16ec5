import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { type Event, memoryJournal, resume, run, scripted, type Tool, tool } from '../src/index.ts'
import { calling, callOf, saying } from './support/bench.ts'
import { endedAtStart } from './support/ended.ts'

const read = tool({ name: 'read', description: 'Reads.', input: z.object({}), effects: 'read', run: () => 'text' })
const save = tool({ name: 'save', description: 'Saves.', input: z.object({}), effects: 'write', run: () => 'saved' })

const examples = { runs: [{ args: {} }], denies: [{ args: { x: 1 } }] }
const POLICY = {
  tools: {
    read: { effects: ['read'], args: {}, ...examples },
    save: { effects: ['write'], args: {}, ...examples },
  },
}

test('what a result puts on the run is recorded before the result, so that no crash parts them, and once', async () => {
  const events: Event[] = []
  const model = scripted([{ calls: [callOf('read', {}, 'a'), callOf('read', {}, 'b')] }, saying('Done.')])
  const onEvent = (event: Event) => void events.push(event)
  const { marks } = await run('Read.', { model, tools: [read], policy: POLICY, onEvent })
  const kinds = events.flatMap(({ kind }) => (kind === 'mark.added' || kind === 'call.finished' ? [kind] : []))
  assert.deepEqual(kinds, ['mark.added', 'mark.added', 'call.finished', 'call.finished'])
  assert.deepEqual(marks, ['untrusted', 'private'])
})

test('what a tool finds out after a crash puts its marks on the run as well', async () => {
  const journal = memoryJournal()
  const options = { policy: POLICY, tools: [save] }
  const { run: id } = await run('Save.', { ...options, model: scripted([calling('save'), saying('Done.')]), journal })
  const cut = endedAtStart(await journal.read(id))
  const probed: Tool = { ...save, probe: async () => ({ ok: true, text: 'It was saved.' }) }
  const model = scripted([saying('Done.')])
  const { marks } = await resume(id, { ...options, model, tools: [probed], journal: cut })
  assert.deepEqual(marks, ['untrusted', 'private'])
})
