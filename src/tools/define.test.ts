import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { z } from 'zod'
import type { ToolResult } from '../core/call.ts'
import { TaoError } from '../core/error.ts'
import type { JsonObject } from '../core/json.ts'
import { SandboxError } from '../sandbox/sandbox.ts'
import { tool } from './define.ts'
import type { Tool, ToolOptions } from './tool.ts'

const input = z.object({
  path: z.string().min(1),
  limit: z.int().min(1).optional(),
  mode: z.enum(['fast', 'slow']).optional(),
  edits: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
  deep: z.object({ on: z.boolean() }).optional(),
  either: z.union([z.string(), z.number()]).optional(),
})

const make = (run: () => unknown = () => undefined): Tool => tool({ name: 'probe', description: 'd', input, run })
const context = () => ({ call: 'c1', client: 'local', idempotencyKey: 'key', signal: new AbortController().signal })
const problemsOf = async (given: JsonObject): Promise<readonly string[]> => {
  const validation = await make().validate(given)
  return validation.ok ? [] : validation.problems
}

test('the model is told a closed object without $schema', () => {
  const { parameters } = make().definition
  assert.equal(parameters.type, 'object')
  assert.equal(parameters.$schema, undefined)
  assert.equal(parameters.additionalProperties, false)
  assert.deepEqual(parameters.required, ['path'])
  const { edits } = parameters.properties as { edits: { items: JsonObject } }
  assert.equal(edits.items.additionalProperties, false)
})

test('an object that says what else it may hold stays as it says', () => {
  const open = tool({ name: 'x', description: 'd', input: z.looseObject({ a: z.string() }), run: () => 1 })
  assert.deepEqual(open.definition.parameters.additionalProperties, {})
})

const WRONG: readonly [string, JsonObject, readonly string[]][] = [
  [
    'an unknown name, with the nearest known one',
    { pth: 'a', path: 'b' },
    ['Unknown argument "pth". Did you mean "path"?'],
  ],
  ['a missing name', {}, ['"path" is required (a text), but it is missing.']],
  ['a wrong type', { path: 3 }, ['"path": expected a text, but 3 came.']],
  ['a fraction for a whole number', { path: 'a', limit: 1.5 }, ['"limit": expected a whole number, but 1.5 came.']],
  [
    'null for what may be left out',
    { path: 'a', limit: null },
    ['"limit": expected a whole number, but null came. Leave it out when there is none.'],
  ],
  [
    'a value outside the list',
    { path: 'a', mode: 'fats' },
    ['"mode": expected "fast" or "slow", but the text "fats" came. Did you mean "fast"?'],
  ],
  ['a wrong choice', { path: 'a', either: true }, ['"either": expected a text or a number, but true came.']],
  [
    'a problem in a list, with its place',
    {
      path: 'a',
      edits: [
        { from: 'x', to: 'y' },
        { from: 1, to: 'y', extra: 1 },
      ],
    },
    ['"edits.1.from": expected a text, but 1 came.', 'Unknown argument "edits.1.extra". Known: from, to.'],
  ],
  [
    'a missing name inside, with its place',
    { path: 'a', deep: {} },
    ['"deep.on" is required (true or false), but it is missing.'],
  ],
  [
    'what only the schema knows',
    { path: '' },
    ['"path": Too small: expected string to have >=1 characters (came: the text "").'],
  ],
]
for (const [what, given, problems] of WRONG)
  test(`refused with one sentence: ${what}`, async () => assert.deepEqual(await problemsOf(given), problems))

// https://github.com/anomalyco/opencode/issues/8249
test('a list written as a text is refused with the way out', async () => {
  const problems = await problemsOf({ path: 'a', edits: '[{"from":"a","to":"b"}]' })
  assert.match(problems.join(), /expected a list.*Write the value itself, not a text that contains it/)
})

// https://github.com/n24q02m/better-godot-mcp/pull/966
test('names that every object has are unknown arguments', async () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__'])
    assert.match((await problemsOf(JSON.parse(`{"path":"a","${name}":1}`))).join(), /Unknown argument/)
})

// https://github.com/lsdefine/GenericAgent/pull/746
test('a huge wrong value is quoted in part', async () => {
  const problems = await problemsOf({ path: 'a', limit: 'x'.repeat(200_000) })
  assert.ok(problems.join().length < 300)
  assert.match(problems.join(), /200002 characters/)
})

test('of several shapes the problems of the one that was meant are told', async () => {
  const shapes = z.object({
    at: z.union([
      z.object({ kind: z.literal('line'), line: z.int() }),
      z.object({ kind: z.literal('name'), name: z.string() }),
    ]),
  })
  const shaped = tool({ name: 'x', description: 'd', input: shapes, run: () => 1 })
  assert.deepEqual(await shaped.validate({ at: { kind: 'line', line: 'a' } }), {
    ok: false,
    problems: ['"at.line": expected a whole number, but the text "a" came.'],
  })
})

test('a schema that refers to itself is followed', async () => {
  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, below: { type: 'array', items: { $ref: '#' } } },
  }
  const schema: StandardSchemaV1 = { '~standard': { version: 1, vendor: 'v', validate: (value) => ({ value }) } }
  const recursive = tool({ name: 'x', description: 'd', input: schema, parameters: tree, run: () => 1 })
  assert.deepEqual(await recursive.validate({ below: [{ below: [{ nam: 1 }] }] }), {
    ok: false,
    problems: ['Unknown argument "below.0.below.0.nam". Did you mean "name"?'],
  })
})

test('what validate gives is what the schema made of the arguments', async () => {
  assert.deepEqual(await make().validate({ path: 'a' }), { ok: true, input: { path: 'a', edits: [] } })
})

test('an asynchronous schema is waited for, and one that throws is a problem of the call', async () => {
  const parameters = { type: 'object', properties: { a: { type: 'number' } } }
  const schema = (validate: StandardSchemaV1['~standard']['validate']): StandardSchemaV1 => ({
    '~standard': { version: 1, vendor: 'test', validate },
  })
  const late = schema(async () => ({ issues: [{ message: 'too late' }] }))
  const broken = schema(() => {
    throw 'no reason'
  })
  const validate = (input: StandardSchemaV1) =>
    tool({ name: 'x', description: 'd', input, parameters, run: () => 1 }).validate({ a: 1 })
  assert.deepEqual(await validate(late), { ok: false, problems: ['too late'] })
  assert.deepEqual(await validate(broken), { ok: false, problems: ['The arguments could not be checked: no reason.'] })
})

test('a name may have dots, slashes, letters of any script and more than 64 characters', () => {
  for (const name of ['files.read', 'web/search', 'найти', 'x'.repeat(256)])
    assert.equal(tool({ name, description: 'd', input, run: () => 1 }).definition.name, name)
})

const MISUSE: readonly [string, Partial<ToolOptions<StandardSchemaV1>>][] = [
  ['an empty name', { name: '' }],
  ['a name with a colon', { name: 'my:tool' }],
  ['a name with a blank', { name: 'my tool' }],
  ['a name that begins with a slash', { name: '/tool' }],
  ['a name of 257 characters', { name: 'x'.repeat(257) }],
  ['a schema that is no object', { input: z.string() }],
  ['a schema that JSON Schema cannot say', { input: z.object({ when: z.date() }) }],
  [
    'a schema that cannot describe itself',
    { input: { '~standard': { version: 1, vendor: 'v', validate: () => ({ value: 1 }) } } },
  ],
  ['no effects', { effects: [] }],
  ['a time limit that a timer cannot hold', { timeLimit: 2_592_000_000 }],
]
for (const [what, wrong] of MISUSE)
  test(`a tool is refused when it is declared with ${what}`, () => {
    assert.throws(() => tool({ name: 'x', description: 'd', input, run: () => 1, ...wrong }), TaoError)
  })

test('effects default to write and the time limit to two minutes', () => {
  assert.deepEqual(make().effects, ['write'])
  assert.equal(make().timeLimit, 120_000)
})

// https://github.com/mastra-ai/mastra/pull/14535
test('whatever is thrown becomes a failed result', async () => {
  for (const thrown of ['text', '', undefined, null, 5n, new Error(''), Object.create(null), { toJSON: 1n }]) {
    const result = await make(() => {
      throw thrown
    }).execute({}, context())
    assert.equal(result.ok, false)
    assert.match(result.text, /^probe failed: ./)
  }
})

test('a broken sandbox is thrown, never shown as a failed call', async () => {
  const broken = make(() => {
    throw new SandboxError('gone')
  })
  await assert.rejects(broken.execute({}, context()), SandboxError)
})

test('a cancelled call throws what cancelled it', async () => {
  const stop = new AbortController()
  const cancelled = make(() => {
    stop.abort(new Error('stopped'))
    throw stop.signal.reason
  })
  await assert.rejects(
    cancelled.execute({}, { call: 'c1', client: 'local', idempotencyKey: 'key', signal: stop.signal }),
    /stopped/,
  )
})

test('a tool says for itself whether it may be repeated, and how to find out whether a call took effect', async () => {
  const options = { name: 'pay', description: 'd', input: z.object({ city: z.string() }), run: () => 'paid' }
  assert.deepEqual([tool(options).repeatable, tool(options).probe], [undefined, undefined])
  const declared = tool({ ...options, repeatable: true, probe: ({ city }) => (city === 'Oslo' ? 'paid' : undefined) })
  assert.equal(declared.repeatable, true)
  assert.deepEqual(await declared.probe?.({ city: 'Oslo' }, context()), { ok: true, text: 'paid', value: 'paid' })
  assert.equal(await declared.probe?.({ city: 'Rome' }, context()), undefined)
})

test('a whole result passes through as it is', async () => {
  const result: ToolResult = { ok: false, text: 'no', exit: 2, files: ['a'] }
  assert.equal(await make(() => result).execute({}, context()), result)
})
