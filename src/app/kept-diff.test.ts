import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { applyChanges } from '../sandbox/apply.ts'
import { copiedTree } from '../sandbox/workspace.contract.ts'
import { diffOf, keepDiff } from './kept-diff.ts'

const WHOLE = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n'

test('what a run changed can be seen after it was applied', async () => {
  await using b = await copiedTree({ 'a.txt': 'one\n' })
  writeFileSync(b.copy('a.txt'), 'two\n')
  await keepDiff(b.workspace)
  await applyChanges(b.workspace)
  assert.equal(await diffOf(b.workspace), WHOLE)
})

test('what a run changed can be seen when somebody changed the same file meanwhile', async () => {
  await using b = await copiedTree({ 'a.txt': 'one\n' })
  writeFileSync(b.copy('a.txt'), 'two\n')
  await keepDiff(b.workspace)
  writeFileSync(join(b.source, 'a.txt'), 'mine\n')
  assert.equal(await diffOf(b.workspace), WHOLE)
})

test('a working copy that changed since shows what it is now', async () => {
  await using b = await copiedTree({ 'a.txt': 'one\n' })
  writeFileSync(b.copy('a.txt'), 'too\n')
  await keepDiff(b.workspace)
  writeFileSync(b.copy('a.txt'), 'two\n')
  assert.equal(await diffOf(b.workspace), WHOLE)
})

test('a diff that cannot be kept ends nothing', async () => {
  await using b = await copiedTree({ 'a.txt': 'one\n' })
  rmSync(dirname(b.workspace.view.copy), { recursive: true })
  await keepDiff(b.workspace)
  assert.match(await diffOf(b.workspace), /^diff --git a\/a\.txt b\/a\.txt\ndeleted file mode/)
})
