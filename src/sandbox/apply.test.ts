import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TaoError } from '../core/error.ts'
import { applyChanges } from './apply.ts'
import { tempFolder, writeTree } from './sandbox.contract.ts'
import { openWorkspace } from './working-copy.ts'
import { copiedTree } from './workspace.contract.ts'

const names = (source: string): string[] => readdirSync(source, { recursive: true, encoding: 'utf8' }).sort()

test('an applied result is the tree that was checked, with its modes; everything else stays', async () => {
  await using b = await copiedTree({
    'a.txt': 'a',
    'gone/deep/x': 'x',
    'f-to-d': 'f',
    'd-to-f/x': 'x',
    'd-to-f/hollow': null,
    keep: 'k',
    '__pycache__/c': 'c',
  })
  chmodSync(join(b.source, 'keep'), 0o640)
  writeFileSync(b.copy('a.txt'), 'A')
  chmodSync(b.copy('a.txt'), 0o755)
  for (const path of ['gone', 'f-to-d', 'd-to-f']) rmSync(b.copy(path), { recursive: true })
  writeTree(b.workspace.view.copy, {
    'f-to-d/new': 'n',
    'd-to-f': 'file',
    'new/sub/y': 'y',
    '__pycache__/c': 'planted',
  })
  symlinkSync('a.txt', b.copy('link'))
  symlinkSync('/etc/passwd', b.copy('out'))
  chmodSync(b.copy('new/sub'), 0o700)
  const changes = await applyChanges(await openWorkspace(b.workspace.record))
  assert.equal(changes.length, 8)
  assert.deepEqual(names(b.source), [
    ...[
      '__pycache__',
      '__pycache__/c',
      'a.txt',
      'd-to-f',
      'f-to-d',
      'f-to-d/new',
      'keep',
      'link',
      'new',
      'new/sub',
      'new/sub/y',
    ],
  ])
  assert.deepEqual(
    [b.read('a.txt'), b.read('d-to-f'), b.read('new/sub/y'), b.read('__pycache__/c')],
    ['A', 'file', 'y', 'c'],
  )
  assert.equal(readlinkSync(join(b.source, 'link')), 'a.txt')
  assert.equal(lstatSync(join(b.source, 'a.txt')).mode & 0o777, 0o755)
  assert.equal(lstatSync(join(b.source, 'new/sub')).mode & 0o777, 0o700)
  assert.equal(lstatSync(join(b.source, 'keep')).mode & 0o777, 0o640)
})

test('applying twice is harmless', async () => {
  await using b = await copiedTree({ 'a.txt': 'a', 'b.txt': 'b' })
  writeFileSync(b.copy('a.txt'), 'A')
  rmSync(b.copy('b.txt'))
  await applyChanges(b.workspace)
  writeFileSync(b.copy('c.txt'), 'c')
  assert.equal((await applyChanges(b.workspace)).length, 3)
  assert.deepEqual(names(b.source), ['a.txt', 'c.txt'])
})

test('when the user changed the same files meanwhile, they are named and nothing at all is written', async () => {
  await using b = await copiedTree({
    'a.txt': 'a',
    'b.txt': 'b',
    'c.txt': 'c',
    'd/x': 'x',
    'e.txt': 'e',
    'mine.txt': 'm',
  })
  for (const path of ['a.txt', 'b.txt', 'e.txt', 'new.txt']) writeFileSync(b.copy(path), 'ours')
  rmSync(b.copy('c.txt'))
  rmSync(b.copy('d'), { recursive: true })
  writeFileSync(b.copy('d'), 'file')
  writeFileSync(join(b.source, 'a.txt'), 'theirs')
  chmodSync(join(b.source, 'b.txt'), 0o700)
  rmSync(join(b.source, 'e.txt'))
  writeTree(b.source, { 'new.txt': 'theirs', 'd/y': 'theirs', 'c.txt': 'theirs', 'mine.txt': 'theirs' })
  const before = names(b.source)
  await assert.rejects(applyChanges(b.workspace), (error) => {
    assert.ok(error instanceof TaoError)
    assert.equal(error.code, 'conflict')
    assert.match(error.message, /: a\.txt, b\.txt, c\.txt, d, e\.txt, new\.txt$/)
    assert.match(error.fix ?? '', /Nothing was written/)
    return true
  })
  assert.deepEqual(names(b.source), before)
  assert.equal(b.read('a.txt'), 'theirs')
})

test('other changes of the user are no conflict and stay', async () => {
  await using b = await copiedTree({ 'a.txt': 'a', 'mine.txt': 'm' })
  writeFileSync(b.copy('a.txt'), 'A')
  writeFileSync(join(b.source, 'mine.txt'), 'M')
  await applyChanges(b.workspace)
  assert.deepEqual([b.read('a.txt'), b.read('mine.txt')], ['A', 'M'])
})

test('no link leads a write out of the tree', async () => {
  await using b = await copiedTree({ 'sub/a.txt': 'a', 'top.txt': 't' })
  await using outside = tempFolder()
  writeFileSync(join(outside.path, 'a.txt'), 'a')
  writeFileSync(join(outside.path, 'top.txt'), 't')
  writeFileSync(b.copy('sub/a.txt'), 'A')
  writeFileSync(b.copy('top.txt'), 'T')
  rmSync(join(b.source, 'sub'), { recursive: true })
  symlinkSync(outside.path, join(b.source, 'sub'))
  rmSync(join(b.source, 'top.txt'))
  symlinkSync(join(outside.path, 'top.txt'), join(b.source, 'top.txt'))
  await assert.rejects(applyChanges(b.workspace), /sub\/a\.txt, top\.txt/)
  assert.equal(readFileSync(join(outside.path, 'a.txt'), 'utf8'), 'a')
  assert.equal(readFileSync(join(outside.path, 'top.txt'), 'utf8'), 't')
})

test('a working copy whose protected files were changed is not applied', async () => {
  await using b = await copiedTree({ 'tests/t.py': 't', 'a.txt': 'a' }, ['tests'])
  writeFileSync(b.copy('tests/t.py'), 'pass')
  writeFileSync(b.copy('a.txt'), 'A')
  await assert.rejects(applyChanges(b.workspace), /Protected files .*tests\/t\.py/)
  assert.equal(b.read('a.txt'), 'a')
})

test('files that root writes belong to whom the tree belongs', async () => {
  await using b = await copiedTree({ 'a.txt': 'a' })
  const isRoot = process.geteuid?.() === 0
  const owner = isRoot ? { uid: 54_321, gid: 54_322 } : lstatSync(b.source)
  if (isRoot) for (const path of ['.', 'a.txt']) chownSync(join(b.source, path), owner.uid, owner.gid)
  writeTree(b.workspace.view.copy, { 'a.txt': 'A', 'new/x.txt': 'x' })
  await applyChanges(b.workspace)
  for (const path of ['a.txt', 'new', 'new/x.txt']) {
    const { uid, gid } = lstatSync(join(b.source, path))
    assert.deepEqual({ uid, gid }, { uid: owner.uid, gid: owner.gid }, path)
  }
})

test('when not everything can be written, the tree is as it was', async () => {
  await using b = await copiedTree({ 'a.txt': 'a', 'z/b.txt': 'b' })
  writeFileSync(b.copy('a.txt'), 'A')
  writeFileSync(b.copy('z/b.txt'), 'B')
  const workspace = await openWorkspace(b.workspace.record)
  // The second file vanishes from the copy between looking and writing.
  const trick = {
    ...workspace,
    disturbed: async () => [],
    delivery: async () => {
      const delivered = await (workspace as unknown as { delivery(): Promise<object> }).delivery()
      rmSync(b.copy('z/b.txt'))
      return delivered
    },
  }
  await assert.rejects(applyChanges(trick), TaoError)
  assert.deepEqual([b.read('a.txt'), b.read('z/b.txt')], ['a', 'b'])
  assert.deepEqual(names(b.source), ['a.txt', 'z', 'z/b.txt'])
})
