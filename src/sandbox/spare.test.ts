import assert from 'node:assert/strict'
import { chmodSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bubblewrap } from './bubblewrap.ts'
import type { Launched } from './launch.ts'
import { never, tempFolder, writeCopy } from './sandbox.contract.ts'
import { type Command, type Sandbox, SandboxError } from './sandbox.ts'
import { spareSandbox } from './spare.ts'

interface Ahead extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly copy: string
  bash(script: string, more?: Partial<Command>): Promise<string>
  /** How often bubblewrap was started, one that waits included. */
  starts(): number
  /** Resolves when so many were started. */
  untilStarted(count: number): Promise<void>
}

/** A sandbox that starts the next one ahead, and counts. */
function openAhead(protect: readonly string[] = []): Ahead {
  const folder = tempFolder()
  const [program, count] = [join(folder.path, 'bwrap'), join(folder.path, 'count')]
  writeFileSync(count, '')
  chmodSync(count, 0o666)
  writeFileSync(program, `#!/bin/bash\necho >>${count}\nexec /usr/bin/bwrap "$@"\n`)
  chmodSync(program, 0o755)
  const copy = writeCopy(join(folder.path, 'copy'), { 'tests/t.txt': 'good', 'other/t.txt': 'other' })
  const sandbox = bubblewrap({ program, ahead: true })
  const starts = () => readFileSync(count, 'utf8').length
  return {
    sandbox,
    copy,
    starts,
    async bash(script, more = {}) {
      const result = await sandbox.run({ argv: ['bash', '-c', script], view: { copy, protect }, ...more }, never())
      return `${result.stdout.text}${result.stderr.text}${result.exit}`
    },
    async untilStarted(wanted) {
      for (let i = 0; starts() < wanted && i < 1_000; i++) await sleep(5)
      assert.equal(starts(), wanted)
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('the next command gets the sandbox that waits, with its own words, input and limits', async () => {
  await using ahead = openAhead()
  assert.equal(await ahead.bash('echo 1'), '1\n0')
  await ahead.untilStarted(2)
  assert.equal(await ahead.bash('cat', { stdin: 'input ä\n' }), 'input ä\n0')
  await ahead.untilStarted(3)
  const limits = { fileSize: 4096 }
  assert.match(await ahead.bash('head -c 9000 /dev/zero >big; echo $?', { limits }), /153\n/)
  await ahead.untilStarted(4)
  const argv = ['printf', '%s|', 'a b', '', '*', '$HOME\n', 'end']
  const { stdout } = await ahead.sandbox.run({ argv, view: { copy: ahead.copy, protect: [] } }, never())
  assert.equal(stdout.text, 'a b||*|$HOME\n|end|')
})

test('a sandbox is used once: nothing of a command reaches the next one', async () => {
  await using ahead = openAhead()
  const noise =
    'touch /tmp/left; cd /tmp; export X=1; (setsid bash -c "while :; do echo noise; sleep 0.01; done" &); echo me'
  assert.equal(await ahead.bash(`(${noise}) | head -1`), 'me\n0')
  await ahead.untilStarted(2)
  for (let i = 3; i < 6; i++) {
    assert.equal(await ahead.bash('pwd; ls -A /tmp; echo "$X"; sleep 0.03; pgrep -c bash'), '/workspace\n\n1\n0')
    await ahead.untilStarted(i)
  }
})

test('a command cannot say how it ended, not through any line that it can find', async () => {
  await using ahead = openAhead()
  const forge = 'for f in /proc/[0-9]*/fd/* /dev/fd/*; do printf "ended 0 0\\nready\\n" >"$f"; done 2>/dev/null; exit 3'
  for (let i = 0; i < 2; i++) {
    assert.match(await ahead.bash(forge), /3$/)
    await ahead.untilStarted(i + 2)
  }
})

test('one that does not fit is thrown away: other protected paths, another copy, other space', async () => {
  await using ahead = openAhead()
  const view = { copy: ahead.copy, protect: ['tests'] }
  assert.equal(await ahead.bash('echo bad >tests/t.txt; cat tests/t.txt'), 'bad\n0')
  await ahead.untilStarted(2)
  assert.match(await ahead.bash('echo worse >tests/t.txt', { view }), /Read-only file system\n1$/)
  await ahead.untilStarted(4)
  assert.match(await ahead.bash('head -c 9000 /dev/zero >/tmp/f', { limits: { tempSpace: 4096 } }), /No space left/)
  await ahead.untilStarted(6)
})

test('protected paths are looked at again before a sandbox that waits is used', async () => {
  await using ahead = openAhead(['tests'])
  assert.equal(await ahead.bash('cat tests/t.txt'), 'good0')
  await ahead.untilStarted(2)
  renameSync(join(ahead.copy, 'tests'), join(ahead.copy, 'old'))
  renameSync(join(ahead.copy, 'other'), join(ahead.copy, 'tests'))
  assert.match(await ahead.bash('cat tests/t.txt; echo bad >tests/t.txt'), /^other.*Read-only file system\n1$/s)
  await ahead.untilStarted(4)
  renameSync(join(ahead.copy, 'tests'), join(ahead.copy, 'gone'))
  symlinkSync('/etc', join(ahead.copy, 'tests'))
  await assert.rejects(ahead.bash('true'), SandboxError)
})

test('nothing is started ahead for a command that nothing alike follows, nor after the end', async () => {
  await using ahead = openAhead()
  await ahead.bash('true', { once: true })
  await sleep(30)
  assert.equal(ahead.starts(), 1)
  await ahead.bash('true')
  await ahead.untilStarted(3)
  await ahead.sandbox.close()
  assert.equal(await ahead.bash('echo still'), 'still\n0')
  await sleep(30)
  assert.equal(ahead.starts(), 4)
})

/** What a spare may keep, without a process. */
function waiting(): Launched & { readonly seen: string[]; usable: boolean } {
  const seen: string[] = []
  return {
    seen,
    usable: true,
    gone: Promise.resolve(),
    run: () => Promise.reject(new Error('not used')),
    rest: () => seen.push('rest'),
    async discard() {
      seen.push('discard')
    },
  }
}

test('a sandbox that nobody needs is ended after a while, one that broke is not given away', async () => {
  const spare = spareSandbox(20)
  const [idle, broken, other] = [waiting(), waiting(), waiting()]
  spare.prepare(
    () => 'a',
    () => idle,
  )
  while (!idle.seen.includes('discard')) await sleep(5)
  assert.deepEqual([idle.seen, spare.take('a')], [['rest', 'discard'], undefined])
  spare.prepare(
    () => 'a',
    () => broken,
  )
  await sleep(2)
  broken.usable = false
  assert.equal(spare.take('a'), undefined)
  spare.prepare(
    () => 'a',
    () => other,
  )
  await sleep(2)
  assert.equal(spare.take('b'), undefined)
  assert.equal(spare.take('a'), other)
  assert.equal(spare.take('a'), undefined)
})
