import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { givenTree } from '../../test/support/given-tree.ts'
import { bubblewrap } from '../sandbox/bubblewrap.ts'
import { commandTool } from './command-tool.ts'

const context = { call: 'c', client: 'local', idempotencyKey: 'k', signal: new AbortController().signal }
const find = commandTool({
  name: 'find',
  description: 'Finds lines.',
  input: z.object({ text: z.string() }),
  effects: 'read',
  command: ({ text }) => ['grep', '-n', '-e', text, 'a.txt'],
})

test('a tool made of a command runs it in the sandbox, on the working copy, with its exit code', async () => {
  await using given = await givenTree({ 'a.txt': 'one\ntwo\n' })
  const tool = find.open({ sandbox: bubblewrap(), view: given.workspace.view })
  assert.deepEqual([find.name, tool.definition.name, tool.effects], ['find', 'find', ['read']])
  const found = await tool.execute({ text: 'two' }, context)
  assert.deepEqual(found, { ok: true, text: 'exit code: 0\nstdout:\n2:two', exit: 0 })
  assert.deepEqual((await tool.execute({ text: 'three' }, context)).exit, 1)
})

test('what the model gives is an argument, whatever stands in it: no shell reads it', async () => {
  await using given = await givenTree({ 'a.txt': '$(touch b.txt)\n' })
  const tool = find.open({ sandbox: bubblewrap(), view: given.workspace.view })
  assert.equal((await tool.execute({ text: '$(touch b.txt)' }, context)).exit, 0)
  await tool.execute({ text: "'; touch b.txt; '" }, context)
  assert.deepEqual(await given.workspace.changes(), [])
})

test('a command that takes too long is ended, and the call is not ok', async () => {
  const { open } = commandTool({
    name: 'wait',
    description: 'Waits.',
    input: z.object({}),
    timeLimit: 300,
    command: () => ['sleep', '20'],
  })
  await using given = await givenTree({ 'a.txt': '' })
  const result = await open({ sandbox: bubblewrap(), view: given.workspace.view }).execute({}, context)
  assert.equal(result.ok, false)
  assert.match(result.text, /ended by the time limit/)
})
