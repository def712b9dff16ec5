import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { TaoError } from '../core/error.ts'
import { failure, NEVER, requestOf } from './model.contract.ts'
import { loadScript } from './script-file.ts'
import { scripted } from './scripted.ts'

async function withFile<T>(name: string, content: string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tao-script-'))
  try {
    const path = join(folder, name)
    await writeFile(path, content)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const textFrom = (name: string, content: string): Promise<string> =>
  withFile(name, content, async (path) => {
    const model = scripted(await loadScript(path))
    return (await model.ask(requestOf(model), { signal: NEVER })).text
  })

test('a list in a JSON file is a script', async () => {
  const replies = [
    {
      text: 'a',
      reasoning: 'b',
      calls: [{ id: 'c', name: 'd', arguments: '{' }],
      finish: 'length',
      usage: { output: 1 },
    },
    { calls: [{ name: 'd', arguments: { e: 1 } }], delayMs: 5 },
    { error: { status: 500, body: { error: 'f' } }, delayMs: 1 },
  ]
  await withFile('s.json', JSON.stringify(replies), async (path) => assert.deepEqual(await loadScript(path), replies))
})

test('a module may export a function as default, a function named reply, or a list', async () => {
  assert.equal(
    await textFrom('a.ts', 'export default (r: { toolChoice: string }, n: number) => ({ text: n + r.toolChoice })'),
    '0auto',
  )
  assert.equal(await textFrom('b.mjs', 'export function reply() { return { text: "named" } }'), 'named')
  assert.equal(await textFrom('c.mjs', 'export default [{ text: "list" }]'), 'list')
})

const WRONG: readonly (readonly [name: string, content: string, says: RegExp])[] = [
  ['a.json', '[{', /cannot be read: .*JSON/],
  ['a.json', '{"text":"a"}', /does not hold a list of replies/],
  ['a.json', '[{"text":"a"},{"text":1}]', /reply 2: "text" must be a text/],
  ['a.json', '[7]', /reply 1: an object is expected/],
  ['a.json', '[{"txt":"a"}]', /"txt" is not known; there are text, /],
  ['a.json', '[{"calls":[{"name":"f","arguments":{}},{"name":"f"}]}]', /"calls" has a wrong entry 2/],
  ['a.json', '[{"calls":{}}]', /"calls" must be a list/],
  ['a.json', '[{"finish":"done"}]', /"finish" must be one of stop, calls/],
  ['a.json', '[{"usage":{"tokens":1}}]', /"usage" must be an object of numbers/],
  ['a.json', '[{"delayMs":-1}]', /"delayMs" must be a number/],
  ['a.json', '[{"error":{"body":"x"}}]', /"error" must be/],
  ['a.json', '[{"error":{"status":500},"text":"a"}]', /"error" and "text" exclude each other/],
  ['a.json', '[{"__proto__":{"text":"a"}}]', /"__proto__" is not known/],
  ['a.yaml', '', /its name ends in "\.yaml"/],
  ['a.ts', 'export const answer = 1', /exports neither a function nor a list/],
  ['a.ts', 'export default (', /cannot be loaded/],
]

for (const [name, content, says] of WRONG)
  test(`a wrong script is refused with its name: ${content || name}`, () =>
    withFile(name, content, async (path) => {
      const error = await failure(loadScript(path))
      assert.ok(error instanceof TaoError, `${error}`)
      assert.match(error.message, says)
      assert.ok(error.message.includes(path))
    }))

test('a script that is not there is named', async () => {
  const error = await failure(loadScript('/nowhere/s.json'))
  assert.ok(error instanceof TaoError)
  assert.match(error.message, /\/nowhere\/s\.json cannot be read/)
})

test('what a function gives is checked when it gives it', () =>
  withFile('a.mjs', 'export default () => ({ message: "a" })', async (path) => {
    const model = scripted(await loadScript(path))
    const error = await failure(model.ask(requestOf(model), { signal: NEVER }))
    assert.ok(error instanceof TaoError)
    assert.match(error.message, /reply 1: "message" is not known/)
  }))
