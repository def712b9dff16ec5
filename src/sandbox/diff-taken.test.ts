import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { unifiedDiff } from './diff.ts'
import { writeTree } from './sandbox.contract.ts'
import { copiedTree } from './workspace.contract.ts'

const LINES = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('')

const BEFORE = {
  'plain.txt': LINES,
  'with space.txt': 'a\nb\n',
  'a folder/ends in space ': 'a\n',
  'no-end.txt': 'a\nb',
  'gets-end.txt': 'a',
  'loses-end.txt': 'a\n',
  'crlf.txt': 'a\r\nb\r\nc\r\n',
  'mixed.txt': 'a\r\nb\nc\r\n',
  'was-empty.txt': '',
  'gets-empty.txt': 'a\n',
  'gone.txt': 'a\n',
  'gone-empty.txt': '',
  'gone with space': 'a\nb',
  'naïve/größe.txt': 'ä\n',
  'tab\there': 'a\n',
  'quote"d\\back': 'a\n',
  '日本 語.txt': 'a\n',
  'run.sh': 'a\n',
  'run2.sh': 'a\n',
  'private.txt': 'a\n',
  'dashes.sql': '-- a\n++ b\n',
}

const AFTER = {
  'plain.txt': LINES.replace('line 3\n', 'line three\n').replace('line 25\n', ''),
  'with space.txt': 'a\nB\n',
  'a folder/ends in space ': 'b\n',
  'no-end.txt': 'a\nB',
  'gets-end.txt': 'a\n',
  'loses-end.txt': 'a',
  'crlf.txt': 'a\r\nB\r\nc\r\n',
  'mixed.txt': 'a\r\nb\r\nc\r\n',
  'was-empty.txt': 'now\n',
  'gets-empty.txt': '',
  'new.txt': 'n\n',
  'new-empty.txt': '',
  'new with space.txt': 'n',
  'néw/ein Ordner/ü.txt': 'n\n',
  'naïve/größe.txt': 'ö\n',
  'tab\there': 'b\n',
  'quote"d\\back': 'b\n',
  '日本 語.txt': 'b\n',
  'run2.sh': 'b\n',
  'dashes.sql': '-- b\n++ a\n',
  'odd-lines.txt': 'form\ffeed\nlone\rreturn\n\u2028\n',
}

const GONE = ['gone.txt', 'gone-empty.txt', 'gone with space']

async function changedTree() {
  const b = await copiedTree(BEFORE)
  for (const path of GONE) rmSync(b.copy(path), { recursive: true })
  writeTree(b.workspace.view.copy, AFTER)
  for (const path of ['run.sh', 'run2.sh', 'new.txt']) chmodSync(b.copy(path), 0o755)
  return b
}

/** Every file with its content and whether it can be run, every link with where it leads. */
function stateOf(root: string): Record<string, string> {
  const states: Record<string, string> = {}
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const found = lstatSync(join(root, path))
    if (found.isSymbolicLink()) states[path] = `link to ${readlinkSync(join(root, path))}`
    else if (found.isFile())
      states[path] = `${(found.mode & 0o100) === 0 ? '' : 'x '}${readFileSync(join(root, path), 'utf8')}`
  }
  return states
}

test('git apply and GNU patch make of the tree what the run made of it', async () => {
  await using b = await changedTree()
  symlinkSync('plain.txt', b.copy('new-link'))
  const diff = await unifiedDiff(b.workspace)
  const env = { PATH: '/usr/bin:/bin', GIT_CEILING_DIRECTORIES: b.path, LC_ALL: 'C.UTF-8' }
  for (const [name, argv] of [
    ['git', ['apply', '-']],
    ['patch', ['-p1', '--no-backup-if-mismatch']],
  ] as const) {
    const taken = join(b.path, name)
    cpSync(b.source, taken, { recursive: true })
    const { status, stdout, stderr } = spawnSync(name, argv, { cwd: taken, input: diff, env, encoding: 'utf8' })
    assert.equal(status, 0, `${name}: ${stdout}${stderr}`)
    assert.deepEqual(stateOf(taken), stateOf(b.workspace.view.copy), name)
  }
})

test('names, ends of lines and modes stand as git writes them', async () => {
  await using b = await changedTree()
  const env = { PATH: '/usr/bin:/bin', GIT_CEILING_DIRECTORIES: b.path, GIT_CONFIG_NOSYSTEM: '1', HOME: b.path }
  const theirs = spawnSync('git', ['diff', '--no-index', '--no-renames', 'source', 'place/copy'], {
    cwd: b.path,
    env,
    encoding: 'utf8',
  }).stdout
  const heads = (text: string, roots: RegExp) =>
    text
      .split('\n')
      // Names that end in a space are the one difference, for the sake of patch.
      .filter(
        (line) =>
          !line.includes('in space') && /^(---|\+\+\+|diff|old mode|new mode|new file|deleted file|\\) /.test(line),
      )
      .map((line) => line.replaceAll(roots, '$1'))
      .sort()
  assert.deepEqual(heads(await unifiedDiff(b.workspace), /$^/g), heads(theirs, /\b([ab]\/)(?:source|place\/copy)\//g))
})

test('a file that becomes a link is taken away and made anew', async () => {
  await using b = await copiedTree({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  rmSync(b.copy('b.txt'))
  symlinkSync('a.txt', b.copy('b.txt'))
  const diff = await unifiedDiff(b.workspace)
  assert.match(diff, /^deleted file mode 100644\n--- a\/b\.txt\n[\s\S]*^new file mode 120000\n--- \/dev\/null/m)
  execFileSync('git', ['apply', '-'], {
    cwd: b.source,
    input: diff,
    env: { PATH: '/usr/bin:/bin', GIT_CEILING_DIRECTORIES: b.path },
  })
  assert.equal(readlinkSync(join(b.source, 'b.txt')), 'a.txt')
})

test('rights that git has no word for are shown, and do not keep anybody from taking the rest', async () => {
  await using b = await copiedTree({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  chmodSync(b.copy('a.txt'), 0o600)
  writeTree(b.workspace.view.copy, { 'b.txt': 'B\n' })
  const diff = await unifiedDiff(b.workspace)
  assert.match(diff, /^diff --git a\/a\.txt b\/a\.txt\nold mode 100644\nnew mode 100600$/m)
  for (const [name, argv] of [
    ['git', ['apply', '-']],
    ['patch', ['-p1']],
  ] as const) {
    const taken = join(b.path, name)
    cpSync(b.source, taken, { recursive: true })
    execFileSync(name, argv, {
      cwd: taken,
      input: diff,
      env: { PATH: '/usr/bin:/bin', GIT_CEILING_DIRECTORIES: b.path },
    })
    assert.equal(readFileSync(join(taken, 'b.txt'), 'utf8'), 'B\n')
  }
})

test('a folder that gives way to a file, and a file to a folder, can be taken by git', async () => {
  await using b = await copiedTree({ 'to-file/x': 'x\n', 'to-folder': 'f\n' })
  for (const path of ['to-file', 'to-folder']) rmSync(b.copy(path), { recursive: true })
  writeTree(b.workspace.view.copy, { 'to-file': 'file\n', 'to-folder/x': 'x\n' })
  const input = await unifiedDiff(b.workspace)
  execFileSync('git', ['apply', '-'], {
    cwd: b.source,
    input,
    env: { PATH: '/usr/bin:/bin', GIT_CEILING_DIRECTORIES: b.path },
  })
  assert.deepEqual(stateOf(b.source), stateOf(b.workspace.view.copy))
})
