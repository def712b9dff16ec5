import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { locate } from './locate.ts'

/** A workspace `ws` with a folder of nearly the same name beside it. */
function newPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'tao-locate-'))
  const root = join(folder, 'ws')
  mkdirSync(join(root, 'a/b'), { recursive: true })
  mkdirSync(join(folder, 'ws-victim'))
  writeFileSync(join(folder, 'ws-victim/secret'), 's')
  symlinkSync('/', join(root, 'escape'))
  symlinkSync('../ws-victim', join(root, 'sibling'))
  symlinkSync('/nowhere/new.txt', join(root, 'dangling'))
  symlinkSync('a/b', join(root, 'good'))
  symlinkSync('loop', join(root, 'loop'))
  writeFileSync(join(root, 'file'), 'f')
  return { root, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

const FOUND: readonly [written: string, path: string, exists: boolean][] = [
  ['.', '.', true],
  ['file', 'file', true],
  ['./a//b/', 'a/b', true],
  ['a/../file', 'file', true],
  ['..a', '..a', false],
  ['new/deep/file', 'new/deep/file', false],
  ['good/x', 'a/b/x', false],
  ['%2e%2e/x', '%2e%2e/x', false],
]
for (const [written, path, exists] of FOUND)
  test(`found in the workspace: ${written}`, () => {
    using place = newPlace()
    assert.deepEqual(locate(place.root, written), { absolute: join(place.root, path), path, exists })
    assert.equal(locate(place.root, join(place.root, written)).path, path)
  })

const REFUSED: readonly [written: string, message: RegExp][] = [
  ['', /empty/],
  ['a\0b', /NUL/],
  ['..', /outside the workspace/],
  ['a/../../x', /outside the workspace/],
  ['/etc/passwd', /outside the workspace/],
  // https://github.com/SkillfulAgents/SuperAgent/pull/209
  ['../ws-victim/secret', /outside the workspace/],
  // https://github.com/Lore-Hex/QuillCode/pull/722
  ['escape/tmp/evil', /outside the workspace/],
  ['escape/etc/passwd', /outside the workspace/],
  ['sibling/secret', /outside the workspace/],
  // https://github.com/nextlevelbuilder/goclaw/issues/1201
  ['dangling', /is a link to "\/nowhere\/new.txt", which does not exist/],
  ['dangling/x', /is a link to/],
  ['loop', /round in circles/],
  ['file/x', /not a folder/],
]
for (const [written, message] of REFUSED)
  test(`refused with a sentence: ${JSON.stringify(written)}`, () => {
    using place = newPlace()
    assert.throws(() => locate(place.root, written), message)
  })
