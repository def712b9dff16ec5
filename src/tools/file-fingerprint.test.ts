import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../sandbox/sandbox.contract.ts'
import { fileFingerprint } from './file-fingerprint.ts'

test('a fingerprint changes with the content of a file and with whether it is there, and with nothing else', async () => {
  await using folder = tempFolder()
  const view = { copy: folder.path, protect: [] }
  const see = (path: string) => fileFingerprint(view, path)
  assert.equal(see('a.txt'), 'no file')
  assert.equal(see('none/a.txt'), 'no file')
  writeFileSync(join(folder.path, 'a.txt'), 'one')
  const one = see('a.txt')
  assert.match(String(one), /^sha256:[0-9a-f]{64}$/)
  assert.equal(see('/workspace/a.txt'), one)
  writeFileSync(join(folder.path, 'b.txt'), 'two')
  assert.equal(see('./a.txt'), one)
  writeFileSync(join(folder.path, 'a.txt'), 'two')
  assert.notEqual(see('a.txt'), one)
})

test('what cannot be told has no fingerprint: a link, a folder, a place outside', async () => {
  await using folder = tempFolder()
  mkdirSync(join(folder.path, 'sub'))
  writeFileSync(join(folder.path, 'sub/a.txt'), 'one')
  symlinkSync('sub/a.txt', join(folder.path, 'link'))
  symlinkSync('sub', join(folder.path, 'way'))
  const view = { copy: folder.path, protect: [] }
  for (const path of ['link', 'way/a.txt', 'way/new.txt', 'sub', '../a.txt', '/etc/passwd'])
    assert.equal(fileFingerprint(view, path), undefined, path)
})
