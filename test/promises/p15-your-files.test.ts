import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { run, scripted } from '../../src/index.ts'
import { callOf, saying } from '../support/bench.ts'
import { givenTree } from '../support/given-tree.ts'

const files = { 'shop/price.py': 'PRICE = 1\n', 'tests/test_price.py': 'old\n', 'settings.json': '{}\n' }
const calls = [
  callOf('edit', { path: 'shop/price.py', old_text: 'PRICE = 1', new_text: 'PRICE = 2' }),
  callOf('bash', { command: 'echo new > tests/test_price.py; rm -rf settings.json; echo added > added.txt' }),
]

test('tools work on a copy: the tree changes when the result is applied, and not before', async () => {
  await using given = await givenTree(files)
  const { source } = given.workspace.record
  const outcome = await run('Change it.', {
    model: scripted([{ calls }, saying('done')]),
    workspace: { path: source, protect: ['tests', 'settings.json'] },
  })
  assert.equal(outcome.status, 'answered')
  assert.deepEqual(outcome.changed, ['added.txt', 'shop/price.py'])
  assert.equal(await readFile(join(source, 'shop/price.py'), 'utf8'), 'PRICE = 1\n')
  assert.deepEqual((await readdir(source)).sort(), ['settings.json', 'shop', 'tests'])

  await outcome.changes?.apply()
  assert.equal(await readFile(join(source, 'shop/price.py'), 'utf8'), 'PRICE = 2\n')
  assert.equal(await readFile(join(source, 'added.txt'), 'utf8'), 'added\n')
  assert.equal(await readFile(join(source, 'tests/test_price.py'), 'utf8'), 'old\n')
})

test('a result is not applied over what somebody changed meanwhile', async () => {
  await using given = await givenTree(files)
  const { source } = given.workspace.record
  const outcome = await run('Change it.', { model: scripted([{ calls }, saying('done')]), workspace: source })
  await writeFile(join(source, 'shop/price.py'), 'PRICE = 3\n')
  await assert.rejects(async () => outcome.changes?.apply(), /price\.py/)
  assert.equal(await readFile(join(source, 'shop/price.py'), 'utf8'), 'PRICE = 3\n')
})
