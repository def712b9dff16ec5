import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { identify } from './process.ts'
import { tempFolder } from './sandbox.contract.ts'
import { sandboxUser } from './user.ts'
import { openWorkspace, reopenWorkspace } from './working-copy.ts'
import { inside, refuses, sourceTree } from './workspace.contract.ts'
import type { Workspace } from './workspace.ts'

const whys = (workspace: Workspace) => Object.fromEntries(workspace.record.skipped.map(({ path, why }) => [path, why]))

test('a copy has the files with their modes, times and links, and shares no inode with anything', async () => {
  await using b = sourceTree({
    'a.txt': 'a',
    'run.sh': '#!/bin/sh\n',
    'deep/er/b.txt': 'b',
    empty: null,
    'big.bin': 'x'.repeat(400_000),
  })
  chmodSync(join(b.source, 'run.sh'), 0o755)
  chmodSync(join(b.source, 'deep/er'), 0o500)
  linkSync(join(b.source, 'a.txt'), join(b.source, 'same.txt'))
  symlinkSync('../a.txt', join(b.source, 'deep/link'))
  symlinkSync('nowhere', join(b.source, 'dangling'))
  symlinkSync('loop', join(b.source, 'loop'))
  utimesSync(join(b.source, 'a.txt'), 1e9, 1e9)
  const { record } = await b.make()
  assert.deepEqual(readdirSync(record.copy).sort(), [
    'a.txt',
    'big.bin',
    'dangling',
    'deep',
    'empty',
    'loop',
    'run.sh',
    'same.txt',
  ])
  assert.equal(readFileSync(join(record.copy, 'big.bin'), 'utf8'), 'x'.repeat(400_000))
  for (const path of ['a.txt', 'same.txt', 'big.bin', 'run.sh']) {
    const [copied, original] = [lstatSync(join(record.copy, path)), lstatSync(join(b.source, path))]
    assert.equal(copied.nlink, 1)
    assert.equal(copied.mode, original.mode)
    assert.ok(Math.abs(copied.mtimeMs - original.mtimeMs) < 0.01)
    assert.equal(copied.uid, sandboxUser().uid)
  }
  assert.equal(lstatSync(join(record.copy, 'deep/er')).mode & 0o777, 0o500)
  assert.equal(readlinkSync(join(record.copy, 'deep/link')), '../a.txt')
  assert.deepEqual(record.skipped, [])
})

test('what cannot be copied faithfully or safely is left out and listed with why', async () => {
  await using b = sourceTree({ 'a.txt': 'a', 'sub/x': 'x' })
  await using outside = tempFolder()
  writeFileSync(join(outside.path, 'secret'), 'secret')
  execFileSync('mkfifo', [join(b.source, 'pipe')])
  await using server = createServer().listen(join(b.source, 'socket'))
  await once(server, 'listening')
  symlinkSync(join(outside.path, 'secret'), join(b.source, 'absolute'))
  symlinkSync('../../..', join(b.source, 'sub/up'))
  symlinkSync(join(b.source, 'a.txt'), join(b.source, 'absolute-inside'))
  symlinkSync('/dev/zero', join(b.source, 'zero'))
  symlinkSync('absolute/../x', join(b.source, 'through'))
  writeFileSync(Buffer.concat([Buffer.from(`${b.source}/bad-`), Buffer.from([0xff])]), 'x')
  const workspace = await b.make()
  const link = 'it is a link that leads out of the tree'
  assert.deepEqual(whys(workspace), {
    absolute: link,
    'absolute-inside': link,
    'bad-\\xff': 'its name is not UTF-8',
    pipe: 'it is a named pipe',
    socket: 'it is a socket',
    'sub/up': link,
    zero: link,
  })
  assert.deepEqual(readdirSync(workspace.view.copy).sort(), ['a.txt', 'sub', 'through'])
})

test('what this user may not read is left out; root may read everything', async () => {
  await using b = sourceTree({ 'closed/x': 'x', secret: 's' })
  chmodSync(join(b.source, 'closed'), 0)
  chmodSync(join(b.source, 'secret'), 0)
  const expected = sandboxUser().dropped ? [] : ['closed', 'secret']
  assert.deepEqual(Object.keys(whys(await b.make())), expected)
  chmodSync(join(b.source, 'closed'), 0o700)
})

test('a tree that cannot be copied is refused with a sentence that helps', async () => {
  await using b = sourceTree({ 'a.txt': 'a' })
  await refuses(b.make([], { source: join(b.path, 'none') }), /does not exist/, /existing folder/)
  await refuses(b.make([], { source: join(b.source, 'a.txt') }), /not a folder/, /folder it is in/)
  await refuses(b.make([], { source: '/' }), /whole machine/, /one project/)
  await refuses(b.make([], { place: join(b.source, 'place') }), /inside of the tree/, /outside/)
  mkdirSync(join(b.path, 'full'))
  writeFileSync(join(b.path, 'full/x'), 'mine')
  await refuses(b.make([], { place: join(b.path, 'full') }), /not empty/)
  assert.equal(readFileSync(join(b.path, 'full/x'), 'utf8'), 'mine')
  assert.deepEqual(readdirSync(b.source), ['a.txt'])
})

test('a place that the sandbox’s user cannot reach is named', async () => {
  await using b = sourceTree({ 'a.txt': 'a' })
  mkdirSync(join(b.path, 'closed'), { mode: 0o700 })
  const made = b.make([], { place: join(b.path, 'closed/place') })
  if (sandboxUser().dropped) await refuses(made, /closed is closed to others/, /chmod o\+x/)
  else assert.ok(existsSync((await made).view.copy))
})

test('a folder nested deeper than a path can be long is a clear error, in the tree and in the copy', async () => {
  await using b = sourceTree({ 'a.txt': 'a' })
  const nest = ['import os', 'for i in range(60): os.mkdir("d" * 100); os.chdir("d" * 100)'].join('\n')
  const workspace = await b.make()
  await inside(workspace, `/usr/bin/python3 -c '${nest}'`)
  await refuses(workspace.changes(), /too deeply/)
  execFileSync('/usr/bin/python3', ['-c', nest], { cwd: b.source })
  await refuses(b.make(), /too deeply/, /Remove the nested folders/)
})

test('protected paths must exist in the tree, as files or folders', async () => {
  await using b = sourceTree({ 'tests/t.py': 't', 'src/app.py': 'a' })
  symlinkSync('tests', join(b.source, 'link'))
  await refuses(b.make(['test']), /"test" does not exist/, /"tests"/)
  await refuses(b.make(['src/ap.py']), /"src\/ap.py" does not exist/, /"src\/app.py"/)
  await refuses(b.make(['nothing/like/it']), /does not exist/)
  await refuses(b.make(['../source/tests']), /must lie in the workspace/)
  await refuses(b.make([join(b.source, 'tests')]), /must lie in the workspace/)
  await refuses(b.make(['link']), /leads through a link/)
  await refuses(b.make(['link/t.py']), /leads through a link/)
  const { record } = await b.make(['./tests/', 'tests/t.py', 'src/app.py'])
  assert.deepEqual(record.protect, ['src/app.py', 'tests'])
  assert.equal(readdirSync(b.path).filter((name) => name.startsWith('place')).length, 1)
})

test('git’s hooks and settings are protected, also where the tree has none or a link', async () => {
  await using b = sourceTree({ '.git/HEAD': 'ref: x', 'tests/t.py': 't' })
  symlinkSync('HEAD', join(b.source, '.git/config'))
  const workspace = await b.make(['tests'])
  assert.deepEqual(workspace.record.protect, ['.git/config', '.git/hooks', 'tests'])
  assert.deepEqual(Object.keys(whys(workspace)), ['.git/config'])
  const seen = await inside(
    workspace,
    '(echo x >.git/hooks/pre-commit; echo x >.git/config; mv .git .g; rm -r .git/hooks) 2>&1 | wc -l; echo x >.git/HEAD',
  )
  assert.equal(seen, '4\n')
  assert.deepEqual(await workspace.disturbed(), [])
  assert.deepEqual(await workspace.changes(), [])
})

test('a working copy can be opened again, and a lost one says so', async () => {
  await using b = sourceTree({ 'a.txt': 'a' })
  const first = await b.make()
  await inside(first, 'echo b >a.txt')
  const again = await openWorkspace(JSON.parse(JSON.stringify(first.record)))
  assert.deepEqual(await again.changes(), [{ path: 'a.txt', kind: 'changed' }])
  assert.deepEqual(again.record, first.record)
  assert.equal(await inside(again, 'ls -A ..; cat /workspace/../base.json 2>/dev/null'), await inside(again, 'ls -A /'))
  await refuses(openWorkspace({ ...first.record, copy: join(b.path, 'none') }), /not there any more/, /again/)
  writeFileSync(join(first.record.copy, '../base.json'), '{"format":"other"}')
  await refuses(openWorkspace(first.record), /another version/)
})

test('thousands of files are copied and compared without stopping everything else', async () => {
  const files = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`d${i % 60}/f${i}`, `${i}`]))
  await using b = sourceTree(files)
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const workspace = await b.make()
  assert.deepEqual(await workspace.changes(), [])
  clearInterval(timer)
  assert.ok(longest < 500, `the process stood still for ${longest} ms`)
  assert.equal(readdirSync(workspace.view.copy).length, 60)
})

test('the process that works on a copy may go on with it, another one only when that has ended', async () => {
  await using b = sourceTree({ 'a.txt': 'a' })
  const { record } = await b.make()
  const again = await reopenWorkspace(record)
  assert.deepEqual(await again.changes(), [])
  const claim = (owner: object) => writeFileSync(join(record.copy, '../in-use.json'), JSON.stringify(owner))
  claim(identify(process.ppid) ?? {})
  await refuses(reopenWorkspace(record), /Another process works on/, /Wait/)
  claim({ pid: process.ppid, startTime: '0' })
  await reopenWorkspace(record)
})
