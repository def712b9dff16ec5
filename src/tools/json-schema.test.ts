import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TaoError } from '../core/error.ts'
import { tool } from './define.ts'
import { fromJsonSchema } from './json-schema.ts'

const schema = {
  type: 'object',
  properties: { city: { type: 'string', pattern: '^[A-Z]' }, days: { type: 'integer', maximum: 7, default: 1 } },
  required: ['city'],
}
const weather = () => tool({ name: 'weather', description: 'd', input: fromJsonSchema(schema), run: () => 'sunny' })

test('a tool can be declared with plain JSON Schema', async () => {
  assert.deepEqual(weather().definition.parameters, { ...schema, additionalProperties: false })
  assert.deepEqual(await weather().validate({ city: 'Paris' }), { ok: true, input: { city: 'Paris' } })
})

test('what the schema forbids is refused, with the field and what came', async () => {
  const problems = async (input: { city: string; days?: number; day?: number }) => {
    const validation = await weather().validate({ ...input })
    return validation.ok ? [] : validation.problems
  }
  assert.deepEqual(await problems({ city: 'Paris', days: 8 }), ['"days": must be <= 7 (came: 8).'])
  assert.deepEqual(await problems({ city: 'paris' }), ['"city": must match pattern "^[A-Z]" (came: the text "paris").'])
  assert.deepEqual(await problems({ city: 'Paris', day: 1 }), ['Unknown argument "day". Did you mean "days"?'])
})

test('the 2020-12 dialect is used where the schema names it', async () => {
  const pair = fromJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] } },
  })
  const check = tool({ name: 'x', description: 'd', input: pair, run: () => 1 })
  assert.equal((await check.validate({ pair: ['a', 1] })).ok, true)
  assert.equal((await check.validate({ pair: [1, 'a'] })).ok, false)
})

test('a schema that is none is refused when it is given', () => {
  assert.throws(() => fromJsonSchema({ type: 'objct' }), TaoError)
})

test('a schema is written out once, however many tools are made of it', () => {
  let times = 0
  const described = { input: () => ({ type: 'object', count: ++times }), output: () => ({}) }
  const input = { '~standard': { ...fromJsonSchema(schema)['~standard'], jsonSchema: described } }
  const make = () => tool({ name: 'weather', description: 'd', input, run: () => 'sunny' }).definition.parameters
  assert.deepEqual([make().count, make().count], [1, 1])
})
