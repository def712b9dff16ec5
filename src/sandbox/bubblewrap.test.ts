import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bubblewrap } from './bubblewrap.ts'
import { isolationContract } from './isolation.contract.ts'
import { never, sandboxContract, tempFolder, writeCopy } from './sandbox.contract.ts'
import { SandboxError } from './sandbox.ts'

sandboxContract('bubblewrap', () => bubblewrap())
isolationContract('bubblewrap', () => bubblewrap())

test('without bubblewrap nothing runs, and the probe says which line installs it', async () => {
  const sandbox = bubblewrap({ program: '/nowhere/bwrap' })
  await assert.rejects(sandbox.run({ argv: ['true'] }, never()), (error) => {
    assert.ok(error instanceof SandboxError)
    assert.match(error.message, /not installed/)
    return true
  })
  const probe = await sandbox.probe()
  assert.equal(probe.ok, false)
  assert.match(probe.ok ? '' : probe.fix, /bubblewrap/)
})

// https://github.com/nathansutton/chad/pull/29: a launcher that only starts is no proof that anything is confined.
test('a program that ends well without a sandbox is a failure of the sandbox', async () => {
  const sandbox = bubblewrap({ program: '/bin/true' })
  await assert.rejects(sandbox.run({ argv: ['true'] }, never()), SandboxError)
  assert.equal((await sandbox.probe()).ok, false)
})

test('a link at a protected path or above it is refused, since mounting would follow it', async () => {
  await using folder = tempFolder()
  const copy = writeCopy(join(folder.path, 'copy'), { 'real/t.txt': 'x' })
  symlinkSync('/etc/passwd', join(copy, 'link'))
  symlinkSync('/etc', join(copy, 'folder'))
  for (const protect of [['link'], ['folder/passwd']])
    await assert.rejects(bubblewrap().run({ argv: ['true'], view: { copy, protect } }, never()), SandboxError)
})

test('the shell that runs first does nothing anywhere but in a sandbox', async () => {
  const { INIT } = await import('./init.ts')
  // Started as a command it is not the second process, so it must end at once and kill nobody.
  const script = 'sleep 60 & bash -c "$0" x 1 1 1 1 true; echo $?; kill $! && echo alive'
  const result = await bubblewrap().run({ argv: ['bash', '-c', script, INIT] }, never())
  assert.equal(result.stdout.text, '125\nalive\n')
})

test('when the command kills what ran first inside, that is an exit code and not a broken sandbox', async () => {
  const result = await bubblewrap().run({ argv: ['bash', '-c', 'kill -9 2; sleep 60'] }, never())
  assert.equal(result.exit, 137)
  assert.equal(result.leftovers, true)
})
