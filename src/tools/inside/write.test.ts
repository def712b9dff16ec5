import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sha256 } from './open-file.ts'
import { write } from './write.ts'

const newFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'tao-write-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

test('a new file is created with its folders, and exactly the text is in it', () => {
  using folder = newFolder()
  const answer = write(folder.path, { path: 'a/b/c.txt', text: 'häh\r\n$&' })
  assert.equal(readFileSync(join(folder.path, 'a/b/c.txt'), 'utf8'), 'häh\r\n$&')
  assert.deepEqual(answer, {
    ...{ path: 'a/b/c.txt', bytes: 8, created: true, remarks: [] },
    sha256: sha256(Buffer.from('häh\r\n$&')),
  })
  assert.deepEqual(readdirSync(join(folder.path, 'a/b')), ['c.txt'])
})

test('an existing file is replaced only when what was read of it still stands; its mode stays', () => {
  using folder = newFolder()
  const path = join(folder.path, 'run.sh')
  writeFileSync(path, 'old')
  chmodSync(path, 0o750)
  const attempt = (seen?: string) =>
    write(folder.path, { path: 'run.sh', text: 'new', ...(seen === undefined ? {} : { seen }) })
  assert.throws(() => attempt(), /exists and has not been read in this run. Read it first/)
  assert.throws(() => attempt(sha256(Buffer.from('other'))), /has changed since it was last read/)
  assert.equal(readFileSync(path, 'utf8'), 'old')
  assert.equal(attempt(sha256(Buffer.from('old'))).created, false)
  assert.equal(readFileSync(path, 'utf8'), 'new')
  assert.equal(statSync(path).mode & 0o7777, 0o750)
})

test('what cannot be a file is refused with a sentence', () => {
  using folder = newFolder()
  mkdirSync(join(folder.path, 'sub'))
  writeFileSync(join(folder.path, 'file'), '')
  const refused = (path: string, message: RegExp) =>
    assert.throws(() => write(folder.path, { path, text: '' }), message)
  refused('sub', /"sub" is a folder/)
  refused('.', /"." is a folder/)
  refused('file/x', /not a folder/)
  refused('x'.repeat(300), /name that is too long/)
  refused('../x', /outside the workspace/)
})
