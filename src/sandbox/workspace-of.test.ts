import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openWorkspace } from './working-copy.ts'
import { inside, sourceTree } from './workspace.contract.ts'

test('changes are what differs in content, mode or kind; ignored names do not count', async () => {
  await using b = sourceTree({
    'a.txt': 'a',
    'b.txt': 'b',
    'c.sh': 'c',
    'd/e.txt': 'e',
    'same.txt': 's',
    'gone/x': 'x',
    '__pycache__/old': 'o',
  })
  const workspace = await b.make()
  assert.deepEqual(await workspace.changes(), [])
  const before = await workspace.treeHash()
  await inside(
    workspace,
    `echo 2 >a.txt; rm b.txt; chmod +x c.sh; rm -r d; echo file >d; touch same.txt; ln -s a.txt new; mkdir -p gone; rm gone/x; mkdir -p pkg/__pycache__ hollow
     echo planted >__pycache__/old; echo p >pkg/__pycache__/x; ln -s /etc/passwd out; mkfifo pipe`,
  )
  assert.deepEqual(await workspace.changes(), [
    { path: 'a.txt', kind: 'changed' },
    { path: 'b.txt', kind: 'removed' },
    { path: 'c.sh', kind: 'changed' },
    { path: 'd', kind: 'added' },
    { path: 'd/e.txt', kind: 'removed' },
    { path: 'gone/x', kind: 'removed' },
    { path: 'new', kind: 'added' },
  ])
  assert.notEqual(await workspace.treeHash(), before)
})

test('a change that keeps size and times is found', async () => {
  await using b = sourceTree({ 'a.txt': 'aaaa' })
  const workspace = await b.make()
  assert.deepEqual(await workspace.changes(), [])
  const before = await workspace.treeHash()
  await inside(workspace, 'cp -p a.txt /tmp/old; printf bbbb >a.txt; touch -r /tmp/old a.txt')
  assert.deepEqual(await workspace.changes(), [{ path: 'a.txt', kind: 'changed' }])
  await inside(workspace, 'printf aaaa >a.txt')
  assert.equal(await workspace.treeHash(), before)
})

test('a tree hash depends on paths, modes and contents that are delivered, and on nothing else', async () => {
  await using b = sourceTree({ 'a.txt': 'a', 'b/c.txt': 'c' })
  const [one, two] = [await b.make(), await b.make()]
  const hash = await one.treeHash()
  assert.match(hash, /^[0-9a-f]{64}$/)
  assert.equal(await two.treeHash(), hash)
  assert.equal(await (await openWorkspace(one.record)).treeHash(), hash)
  for (const [script, isSame] of [
    ['touch -d 2001-01-01 a.txt; mkdir __pycache__; touch __pycache__/x', true],
    ['mv a.txt z.txt', false],
    ['mv z.txt a.txt', true],
    ['chmod 600 a.txt', false],
  ] as const) {
    await inside(one, script)
    assert.equal((await one.treeHash()) === hash, isSame, script)
  }
})

test('protected files that did change are named, whoever changed them', async () => {
  await using b = sourceTree({ 'tests/t.py': 't', 'tests/u.py': 'u', 'tests/__pycache__/x': 'x', 'a.txt': 'a' })
  const workspace = await b.make(['tests'])
  assert.deepEqual(await workspace.disturbed(), [])
  writeFileSync(join(workspace.view.copy, 'tests/t.py'), 'T')
  writeFileSync(join(workspace.view.copy, 'tests/new.py'), '')
  writeFileSync(join(workspace.view.copy, 'tests/__pycache__/x'), 'planted')
  execFileSync('mkfifo', [join(workspace.view.copy, 'tests/pipe')])
  chmodSync(join(workspace.view.copy, 'tests/u.py'), 0o777)
  writeFileSync(join(workspace.view.copy, 'a.txt'), 'b')
  const named = ['tests/__pycache__/x', 'tests/new.py', 'tests/pipe', 'tests/t.py', 'tests/u.py']
  assert.deepEqual(await workspace.disturbed(), named)
  assert.deepEqual(await (await openWorkspace(workspace.record)).disturbed(), named)
})

test('a clean copy has what would be delivered and what tests need, but nothing planted in ignored places', async () => {
  await using b = sourceTree({
    'tests/t.py': 't',
    'app.py': 'old',
    'node_modules/left-pad/index.js': 'pad',
    'node_modules/.cache/x': 'c',
    '__pycache__/app.pyc': 'real',
    '.git/HEAD': 'h',
    logs: null,
  })
  const workspace = await b.make(['tests'])
  await inside(
    workspace,
    'echo new >app.py; echo planted >__pycache__/app.pyc; mkdir -p tmp/empty lib; echo l >lib/l.py; ln -s /etc out',
  )
  let place: string
  {
    await using clean = await workspace.cleanCopy()
    place = clean.view.copy
    assert.equal(
      await inside(
        clean,
        'find . | sort; cat app.py; (echo x >tests/t.py) 2>/dev/null || echo protected; echo made >app.py',
      ),
      `${[
        ...['.', './app.py', './lib', './lib/l.py', './logs', './node_modules', './node_modules/left-pad'],
        ...['./node_modules/left-pad/index.js', './tests', './tests/t.py', 'new', 'protected'],
      ].join('\n')}\n`,
    )
    assert.deepEqual(clean.view.protect, ['tests'])
    await inside(clean, 'mkdir -p closed/in; chmod 000 closed')
  }
  assert.equal(existsSync(place), false)
  assert.equal(readFileSync(join(workspace.view.copy, 'app.py'), 'utf8'), 'new\n')
})

test('a protected path that was removed or replaced, by a link, a file or a folder, is named', async () => {
  const files = { 'a/t.py': 't', 'b/t.py': 't', 'c.json': '{}', 'd.json': '{}', 'e.json': '{}', 'deep/f/t.py': 't' }
  await using b = sourceTree(files)
  const workspace = await b.make(['a', 'b', 'c.json', 'd.json', 'e.json', 'deep/f'])
  const at = (path: string) => join(workspace.view.copy, path)
  rmSync(at('a'), { recursive: true })
  renameSync(at('b'), at('moved'))
  symlinkSync('moved', at('b')) // The same files, by another way.
  rmSync(at('c.json'))
  mkdirSync(at('c.json'))
  rmSync(at('d.json'))
  symlinkSync('/etc/hostname', at('d.json'))
  rmSync(at('e.json'))
  renameSync(at('deep'), at('elsewhere'))
  symlinkSync('elsewhere', at('deep'))
  const named = await workspace.disturbed()
  assert.deepEqual(named, ['a', 'a/t.py', 'b', 'b/t.py', 'c.json', 'd.json', 'deep/f', 'deep/f/t.py', 'e.json'])
})

test('what cannot be delivered is told, with why; what is ignored is not', async () => {
  await using b = sourceTree({ 'a.txt': 'a' })
  const workspace = await b.make()
  assert.deepEqual(await workspace.leftOut(), [])
  await inside(workspace, `mkfifo pipe; ln -s /etc out; mkdir __pycache__; mkfifo __pycache__/p; printf x >$'\\xff'`)
  assert.deepEqual(await workspace.leftOut(), [
    { path: '\\xff', why: 'its name is not UTF-8' },
    { path: 'out', why: 'it is a link that leads out of the tree' },
    { path: 'pipe', why: 'it is a named pipe' },
  ])
})
