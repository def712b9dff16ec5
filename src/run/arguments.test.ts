import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { ToolCall } from '../core/call.ts'
import { tool } from '../tools/define.ts'
import { readArguments } from './arguments.ts'

const count = tool({
  name: 'count',
  description: 'Counts.',
  input: z.object({ limit: z.number().int(), note: z.string().optional() }),
  run: ({ limit }) => limit,
})

/** As the loop does: first read by the schema, then checked by the tool. */
async function read(text: string) {
  const call: ToolCall = { id: 'a', name: 'count', arguments: text }
  const reading = readArguments(call, count.definition.parameters)
  if (!reading.ok) return reading
  const validation = await count.validate(reading.args)
  return validation.ok
    ? { ...reading, input: validation.input }
    : { ok: false as const, problem: validation.problems.join(' ') }
}

test('what the schema makes certain is read, and said', async () => {
  const reading = await read('{"limit": "20", "note": "7"}')
  assert.ok(reading.ok)
  assert.deepEqual(reading.input, { limit: 20, note: '7' })
  assert.deepEqual(reading.notes, ['"limit" came as a text and was read as a number'])
})

// https://github.com/openai/openai-agents-js/issues/664
test('empty arguments mean none, and what is required is still missing', async () => {
  const reading = await read('')
  assert.ok(!reading.ok)
  assert.match(reading.problem, /"limit" is required/)
})

test('a value that stays wrong is refused with its field, what is expected and what came', async () => {
  const reading = await read('{"limit": "many"}')
  assert.ok(!reading.ok)
  assert.match(reading.problem, /"limit".*number.*many/)
})

// https://github.com/lsdefine/GenericAgent/pull/746
test('arguments that are no object are refused, and a large text is quoted in part', async () => {
  for (const text of ['null', '[]', '"x"', '5', 'true']) {
    const reading = await read(text)
    assert.ok(!reading.ok && /one JSON object/.test(reading.problem))
  }
  const large = await read(`{"limit": ${'x'.repeat(200_000)}`)
  assert.ok(!large.ok && large.problem.length < 700)
})
