import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Duplex, PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { bubblewrap } from './bubblewrap.ts'
import { openGate } from './gate.ts'
import { never, tempFolder, writeCopy } from './sandbox.contract.ts'
import { SandboxError } from './sandbox.ts'

/** Both lines as a test has them: what Tao wrote, and a way to speak for bubblewrap and the first shell. */
function lines() {
  const written: string[] = []
  const control = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      done()
    },
  })
  const status = new PassThrough()
  const seen: string[] = []
  const gate = openGate(control, status, {
    onReady: () => {},
    onStart: () => seen.push('start'),
    onEnd: () => seen.push('end'),
  })
  const say = async (line: { shell: string } | { bwrap: object }) => {
    if ('shell' in line) control.push(`${line.shell}\n`)
    else status.write(`${JSON.stringify(line.bwrap)}\n`)
    for (let i = 0; i < 3; i++) await turn()
  }
  return { gate, written, seen, say, control }
}

async function sleeper(): Promise<ChildProcess & { pid: number }> {
  const child = spawn('sleep', ['60'])
  await once(child, 'spawn')
  return Object.assign(child, { pid: child.pid ?? 0 })
}

test('the command may go only when the process to kill is known and the sandbox waits, in either order', async () => {
  const child = await sleeper()
  for (const order of ['pid', 'ready'] as const) {
    const { gate, written, seen, say } = lines()
    gate.order('order')
    const [first, second] = [{ bwrap: { 'child-pid': child.pid } }, { shell: 'ready' }]
    await say(order === 'pid' ? first : second)
    assert.deepEqual([written, seen, gate.started], [[], [], false])
    await say(order === 'pid' ? second : first)
    assert.deepEqual([written, seen, gate.started], [['order'], ['start'], true])
    await say({ shell: 'ended 3 1' })
    assert.deepEqual([seen, gate.ended], [['start', 'end'], { exit: 3, leftovers: true }])
    await say({ bwrap: { 'exit-code': 3 } })
    assert.equal(gate.recorded, 3)
    assert.equal(written.length, 1)
  }
  child.kill('SIGKILL')
})

test('a sandbox waits for its order, takes the first one, and no other', async () => {
  const child = await sleeper()
  const { gate, written, seen, say } = lines()
  await say({ bwrap: { 'child-pid': child.pid } })
  assert.equal(gate.waits, false)
  await say({ shell: 'ready' })
  assert.deepEqual([gate.waits, gate.started, written], [true, false, []])
  gate.order('first')
  gate.order('second')
  await say({ shell: 'ready' })
  assert.deepEqual([gate.waits, gate.started, written, seen], [false, true, ['first'], ['start']])
  child.kill('SIGKILL')
})

// https://github.com/containers/bubblewrap/issues/700: a stop before the process is known must not be lost.
test('a sandbox that is told to stop before it has a process is killed when it has one', async () => {
  const child = await sleeper()
  const { gate, written, seen, say, control } = lines()
  gate.stop()
  assert.equal(control.destroyed, true)
  const exit = once(child, 'exit')
  await say({ bwrap: { 'child-pid': child.pid } })
  assert.deepEqual(await exit, [null, 'SIGKILL'])
  assert.deepEqual([written, seen], [[], []])
})

test('an end without a start, and words that are none, mean nothing', async () => {
  const { gate, seen, say } = lines()
  await say({ shell: 'ended 0 0' })
  await say({ shell: '{"exit-code":0}' })
  assert.deepEqual([gate.ended, gate.recorded, seen], [undefined, undefined, []])
})

test('a sandbox that hears nobody starts nothing', async () => {
  await using folder = tempFolder()
  const copy = writeCopy(join(folder.path, 'copy'), {})
  const deaf = join(folder.path, 'bwrap')
  writeFileSync(deaf, '#!/bin/bash\nexec 7<>/dev/null\nexec /usr/bin/bwrap "$@"\n')
  chmodSync(deaf, 0o755)
  const command = { argv: ['touch', 'ran'], view: { copy, protect: [] } }
  await assert.rejects(bubblewrap({ program: deaf }).run(command, never()), SandboxError)
  assert.equal(existsSync(join(copy, 'ran')), false)
  assert.equal((await bubblewrap().run(command, never())).exit, 0)
  assert.equal(existsSync(join(copy, 'ran')), true)
})
