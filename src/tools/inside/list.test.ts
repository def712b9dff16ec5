import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { list } from './list.ts'

const newFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'tao-list-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
const everything = { path: '.', depth: 100, maxEntries: 100 }

test('entries are sorted, marked by kind, and links are shown without being followed', () => {
  using folder = newFolder()
  const at = (path: string) => join(folder.path, path)
  mkdirSync(at('src/deep'), { recursive: true })
  mkdirSync(at('node_modules/x'), { recursive: true })
  mkdirSync(at('.git'))
  writeFileSync(at('src/b.ts'), '')
  writeFileSync(at('a.txt'), '')
  symlinkSync('/etc', at('etc'))
  execFileSync('mkfifo', [at('pipe')])
  assert.deepEqual(list(folder.path, everything).entries, [
    '.git/ (not listed)',
    'a.txt',
    'etc -> /etc',
    'node_modules/ (not listed)',
    'pipe (a named pipe)',
    'src/',
    'src/b.ts',
    'src/deep/',
  ])
  assert.deepEqual(list(folder.path, { ...everything, path: 'node_modules' }).entries, ['x/'])
  assert.deepEqual(list(folder.path, { ...everything, path: 'src', depth: 1 }).entries, ['b.ts', 'deep/'])
})

test('a folder with too many entries does not hide its neighbours', () => {
  using folder = newFolder()
  mkdirSync(join(folder.path, 'a'))
  for (let i = 0; i < 50; i++) writeFileSync(join(folder.path, 'a', `${i}`), '')
  writeFileSync(join(folder.path, 'z'), '')
  const answer = list(folder.path, { ...everything, maxEntries: 10 })
  assert.equal(answer.entries.length, 10)
  assert.equal(answer.more, true)
  assert.ok(answer.entries.includes('z'))
  assert.equal(list(folder.path, { ...everything, maxEntries: 52 }).more, false)
})

test('names with control characters or without UTF-8 cannot pass for others', () => {
  using folder = newFolder()
  writeFileSync(join(folder.path, 'a\nb/'.slice(0, 3)), '')
  writeFileSync(Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0x62, 0xff])]), '')
  assert.deepEqual(list(folder.path, everything).entries, [
    '"a\\nb"',
    'b\\xff (its name is not UTF-8: these tools cannot open it)',
  ])
})

test('what is no folder is refused with a sentence', () => {
  using folder = newFolder()
  writeFileSync(join(folder.path, 'file'), '')
  assert.throws(() => list(folder.path, { ...everything, path: 'file' }), /"file" is not a folder. Use read_file/)
  assert.throws(() => list(folder.path, { ...everything, path: 'none' }), /"none" does not exist/)
})
