import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { unifiedDiff } from './diff.ts'
import { writeTree } from './sandbox.contract.ts'
import { openWorkspace } from './working-copy.ts'
import { copiedTree } from './workspace.contract.ts'

test('a diff shows new, changed and removed files as git does, and git can read it', async () => {
  await using b = await copiedTree({
    'a.txt': 'one\ntwo\nthree\n',
    'gone.txt': 'bye\n',
    'run.sh': 'x\n',
    'no-end.txt': 'a',
  })
  assert.equal(await unifiedDiff(b.workspace), '')
  writeFileSync(b.copy('a.txt'), 'one\n2\nthree\n')
  rmSync(b.copy('gone.txt'))
  writeTree(b.workspace.view.copy, { 'new/n.txt': 'hi\nyou\n', 'empty.txt': '' })
  writeFileSync(b.copy('no-end.txt'), 'b')
  chmodSync(b.copy('run.sh'), 0o755)
  symlinkSync('a.txt', b.copy('link'))
  const diff = await unifiedDiff(b.workspace)
  assert.equal(
    diff,
    `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 one
-two
+2
 three
diff --git a/empty.txt b/empty.txt
new file mode 100644
index 0000000..e69de29
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/link b/link
new file mode 120000
--- /dev/null
+++ b/link
@@ -0,0 +1 @@
+a.txt
\\ No newline at end of file
diff --git a/new/n.txt b/new/n.txt
new file mode 100644
--- /dev/null
+++ b/new/n.txt
@@ -0,0 +1,2 @@
+hi
+you
diff --git a/no-end.txt b/no-end.txt
--- a/no-end.txt
+++ b/no-end.txt
@@ -1 +1 @@
-a
\\ No newline at end of file
+b
\\ No newline at end of file
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
`,
  )
  execFileSync('git', ['apply', '--directory=source', '--unsafe-paths', '-'], {
    input: diff,
    cwd: b.path,
    env: { PATH: '/usr/bin:/bin', GIT_CEILING_DIRECTORIES: b.path },
  })
  assert.equal(b.read('a.txt'), 'one\n2\nthree\n')
  assert.equal(existsSync(join(b.source, 'gone.txt')), false)
  assert.equal(lstatSync(join(b.source, 'run.sh')).mode & 0o111, 0o111)
})

test('a diff names what is not text and what is too large, and shows the run’s own change whatever the user did meanwhile', async () => {
  await using b = await copiedTree({ 'pic.bin': 'a\0b', 'latin.txt': 'x', 'mine.txt': 'x\n', 'odd\n"name"': 'x\n' })
  writeFileSync(b.copy('pic.bin'), 'a\0c')
  writeFileSync(b.copy('latin.txt'), Buffer.from([0xff]))
  writeFileSync(b.copy('mine.txt'), 'y\n')
  writeFileSync(b.copy('odd\n"name"'), 'y\n')
  writeFileSync(b.copy('large.txt'), 'x'.repeat(3 << 20))
  writeFileSync(join(b.source, 'mine.txt'), 'user\n')
  const diff = await unifiedDiff(b.workspace)
  assert.match(diff, /^Binary files a\/pic.bin and b\/pic.bin differ$/m)
  assert.match(diff, /^Binary files a\/latin.txt and b\/latin.txt differ$/m)
  assert.match(diff, /^--- a\/mine.txt\n\+\+\+ b\/mine.txt\n@@ -1 \+1 @@\n-x\n\+y$/m)
  assert.match(diff, /^Files \/dev\/null and b\/large.txt differ; .*too large/m)
  assert.match(diff, /^diff --git "a\/odd\\n\\"name\\"" "b\/odd\\n\\"name\\""$/m)
})

test('what stood in an installed package is not kept: when it is changed on both sides, the diff says so', async () => {
  await using b = await copiedTree({ 'node_modules/m/i.js': 'x\n', 'node_modules/m/j.js': 'x\n' })
  for (const name of ['i', 'j']) writeFileSync(b.copy(`node_modules/m/${name}.js`), 'y\n')
  writeFileSync(join(b.source, 'node_modules/m/i.js'), 'user\n')
  const diff = await unifiedDiff(await openWorkspace(b.workspace.record))
  assert.match(diff, /^Files a\/\S+i.js and b\/\S+i.js differ; what it said before the run was not kept/m)
  assert.match(diff, /^\+\+\+ b\/node_modules\/m\/j.js\n@@ -1 \+1 @@\n-x\n\+y$/m)
})

test('the old text of a file is shown when the tree is gone, and one that was tampered with is not', async () => {
  await using b = await copiedTree({ 'a.txt': 'old\n', 'b.bin': 'a\0b' })
  writeFileSync(b.copy('a.txt'), 'new\n')
  rmSync(b.copy('b.bin'))
  rmSync(b.source, { recursive: true })
  const diff = await unifiedDiff(await openWorkspace(b.workspace.record))
  assert.match(diff, /^-old\n\+new$/m)
  assert.match(diff, /^Binary files a\/b.bin and \/dev\/null differ$/m)
  writeFileSync(join(b.path, 'place/base.texts'), 'OLD\n')
  assert.match(await unifiedDiff(b.workspace), /a.txt differ; what it said before the run was not kept/)
})
