import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBound, withoutBound } from './bound.ts'
import type { ToolPolicy } from './schema.ts'

const tool: ToolPolicy = {
  effects: ['read'],
  args: { client_id: { bind: 'client' }, day: { role: 'payload', type: { date: 'day' } } },
  denies: [],
}

test('the model is not shown an argument that the session sets', () => {
  const schema = { type: 'object', properties: { client_id: {}, day: {} }, required: ['client_id', 'day'] }
  assert.deepEqual(withoutBound(schema, tool), { type: 'object', properties: { day: {} }, required: ['day'] })
})

test('a call that was decided on gets the values of the session', () => {
  const args = { day: '2026-10-03' }
  assert.deepEqual(withBound(args, tool, { client: 'c-1', tenant: 't' }), { day: '2026-10-03', client_id: 'c-1' })
  assert.deepEqual(args, { day: '2026-10-03' })
})
