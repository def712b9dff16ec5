import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sharedCorpora } from './run-tools.ts'
import { readSettings } from './settings.ts'

test('runs that share their corpora look through each folder once', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'tao-shared-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const settings = readSettings({ TAO_HOME: join(folder, 'state') })
  const open = sharedCorpora()
  assert.equal(await open(folder, settings), await open(folder, settings))
  assert.notEqual(await sharedCorpora()(folder, settings), await open(folder, settings))
})
