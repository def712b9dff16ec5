import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { never, tempFolder, writeCopy, writeTree } from './sandbox.contract.ts'
import { type Command, type CommandResult, type Sandbox, SandboxError } from './sandbox.ts'

/** What those sandboxes promise beside that hide the host and hold a view by mounts. */
export function isolationContract(name: string, make: () => Sandbox): void {
  const run = (command: Command, signal = never()): Promise<CommandResult> => make().run(command, signal)
  const bash = (script: string, more: Partial<Command> = {}) => run({ argv: ['bash', '-c', script], ...more })

  test(`${name}: protected paths cannot be changed in any way, all others can`, async () => {
    await using folder = tempFolder()
    const files = { 'a/b/tests/t.py': 'good', 'a/b/code.py': 'x', 'settings.json': '{}' }
    const copy = writeCopy(join(folder.path, 'copy'), files)
    const view = { copy, protect: ['a/b/tests', 'settings.json', './a/b/tests/t.py'] }
    const attacks = [
      'echo bad >a/b/tests/t.py',
      'echo bad >>settings.json',
      'touch a/b/tests/new',
      'rm -f settings.json',
      'rm -rf a/b/tests',
      'chmod 777 settings.json',
      'touch settings.json',
      'sed -i s/good/bad/ a/b/tests/t.py',
      'mv settings.json other',
      'mv a/b/tests a/b/old',
      'mv a/b a/c',
      'mv a c',
      'ln settings.json hard',
      'mv a/b/code.py settings.json',
      'ln -sf /dev/null settings.json',
      'echo bad >/proc/self/cwd/settings.json',
    ]
    const script = 'for attack; do (eval "$attack") 2>/dev/null && echo "worked: $attack"; done'
    const tried = await run({ argv: ['bash', '-c', script, 'x', ...attacks], view })
    assert.equal(tried.stdout.text, '')
    const result = await bash('cat a/b/tests/t.py settings.json; echo y >a/b/code.py; mkdir new; cat a/b/code.py', {
      view,
    })
    assert.equal(result.stdout.text, 'good{}y\n')
    assert.equal(result.exit, 0)
  })

  test(`${name}: a wholly protected tree can be read and nothing else`, async () => {
    await using folder = tempFolder()
    const copy = writeCopy(join(folder.path, 'copy'), { 'a.txt': 'a' })
    const result = await bash('cat a.txt; touch b', { view: { copy, protect: ['.'] } })
    assert.equal(result.stdout.text, 'a')
    assert.equal(result.exit, 1)
  })

  test(`${name}: host files are seen where they are asked for, and only read`, async () => {
    await using folder = tempFolder()
    chmodSync(folder.path, 0o700)
    writeTree(folder.path, { 'tool.txt': 'tool', 'lib/part.txt': 'part' })
    const readOnly = {
      '/opt/tao/tool.txt': join(folder.path, 'tool.txt'),
      '/opt/tao/deep/lib': join(folder.path, 'lib'),
    }
    const result = await bash('cat /opt/tao/tool.txt /opt/tao/deep/lib/part.txt; echo x >/opt/tao/tool.txt', {
      readOnly,
    })
    assert.equal(result.stdout.text, 'toolpart')
    assert.equal(result.exit, 1)
    for (const path of ['/workspace/x', '/usr/bin/x', '/etc', 'relative', '/opt/../etc/x'])
      await assert.rejects(bash('true', { readOnly: { [path]: join(folder.path, 'tool.txt') } }), SandboxError, path)
    await assert.rejects(bash('true', { readOnly: { '/opt/x': join(folder.path, 'none') } }), SandboxError)
  })

  test(`${name}: limits of processes, files and temporary space hold`, async () => {
    const limits = { processes: 32, fileSize: 1 << 20, tempSpace: 2 << 20, cpuTime: 1 }
    const forks = await bash('for i in $(seq 50); do sleep 0.2 & done 2>/dev/null; jobs -r | wc -l', { limits })
    assert.ok(Number(forks.stdout.text.trim()) <= 32, forks.stdout.text)
    assert.equal((await bash('head -c 2M /dev/zero >file', { limits })).exit, 153)
    assert.match(
      (await bash('for i in 1 2 3; do head -c 1M /dev/zero >/tmp/$i; done', { limits })).stderr.text,
      /No space left/,
    )
    assert.equal((await run({ argv: ['bash', '-c', 'while :; do :; done'], limits })).exit, 152)
  })
}
