import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TaoError } from '../core/error.ts'
import { editText } from './edit-text.ts'

test('an editor changes a text, and may be a command with arguments', async () => {
  assert.equal(await editText('{"command":"one"}', 'sed -i s/one/two/'), '{"command":"two"}')
})

test('an editor that fails is told by its name', async () => {
  const failed = await editText('x', 'false').catch((error: unknown) => error)
  assert.ok(failed instanceof TaoError)
  assert.equal(failed.message, 'The editor "false" ended with 1.')
})
