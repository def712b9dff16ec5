import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { bubblewrap } from './bubblewrap.ts'
import { identify, isAlive, killProcess } from './process.ts'
import { never, tempFolder, writeCopy } from './sandbox.contract.ts'

const MODULE = JSON.stringify(new URL('./bubblewrap.ts', import.meta.url).href)

/** All processes of this machine with this word among their arguments. */
function withArgument(word: string): { pid: number; argv: string[] }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const argv = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
        return argv.includes(word) ? [{ pid: Number(name), argv }] : []
      } catch {
        return []
      }
    })
}

const running = (word: string) => withArgument(word).filter(({ argv }) => argv[0] === 'sleep')

async function until(holds: () => boolean, atMost: number): Promise<boolean> {
  for (const end = performance.now() + atMost; !holds(); await sleep(5)) if (performance.now() > end) return false
  return true
}

/** Another Tao, about to run a command. It says so a moment before. */
async function startHarness(word: string): Promise<ChildProcess> {
  const code = `
    import { bubblewrap } from ${MODULE}
    await bubblewrap().run({ argv: ['true'] }, new AbortController().signal)
    process.stdout.write('now')
    await bubblewrap().run({ argv: ['sleep', ${JSON.stringify(word)}] }, new AbortController().signal)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (child.stdout !== null) await once(child.stdout, 'data')
  return child
}

/** Kills a Tao after some milliseconds of a sandbox's start; true when nothing of the sandbox is left soon after. */
async function isGoneAfterKill(moment: number, word: string): Promise<boolean> {
  const harness = await startHarness(word)
  await sleep(moment)
  harness.kill('SIGKILL')
  await once(harness, 'exit')
  const isGone = await until(() => withArgument(word).length === 0, 5_000)
  await sleep(50) // Nothing may come up late either.
  return isGone && withArgument(word).length === 0
}

// https://github.com/containers/bubblewrap/issues/633: a parent that dies at the wrong moment left processes waiting.
test('when Tao is killed, at whatever moment, no process of a sandbox lives on', async () => {
  const moments = [0, 2, 4, 6, 8, 10, 13, 16, 20, 30, 45, 150]
  const left: number[] = []
  for (const [i, moment] of moments.entries())
    if (!(await isGoneAfterKill(moment, `86${process.pid}.${i}`))) left.push(moment)
  assert.deepEqual(left, [])
})

test('when Tao is killed while a command runs, the command is gone soon', async () => {
  const word = `87${process.pid}`
  const harness = await startHarness(word)
  assert.ok(await until(() => running(word).length === 1, 5_000))
  harness.kill('SIGKILL')
  assert.ok(await until(() => withArgument(word).length === 0, 5_000))
})

test('an abort at any moment leaves nothing behind', async () => {
  for (const moment of [0, 5, 10, 20, 30, 45]) {
    const word = `88${process.pid}.${moment}`
    const controller = new AbortController()
    const run = bubblewrap().run({ argv: ['sleep', word] }, controller.signal)
    setTimeout(() => controller.abort(new Error('stop')), moment)
    await assert.rejects(run, { message: 'stop' })
    assert.equal(running(word).length, 0)
  }
})

test('when a result is there, no process of the command can write any more', async () => {
  await using folder = tempFolder()
  const copy = writeCopy(join(folder.path, 'copy'), {})
  const script = '(trap "" TERM; setsid bash -c "while :; do date +%N >beat; done" &) ; sleep 0.05'
  const result = await bubblewrap().run({ argv: ['bash', '-c', script], view: { copy, protect: [] } }, never())
  const before = readFileSync(join(copy, 'beat'), 'utf8')
  await sleep(40)
  assert.equal(readFileSync(join(copy, 'beat'), 'utf8'), before)
  assert.equal(result.leftovers, true)
  assert.ok(existsSync(join(copy, 'beat')))
})

test('a worker thread is refused: its end would end the sandbox at any time', async () => {
  const code = `
    import { parentPort } from 'node:worker_threads'
    import { bubblewrap } from ${MODULE}
    bubblewrap().run({ argv: ['true'] }, new AbortController().signal).catch((e) => parentPort.postMessage(e.message))`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
  const [message] = (await once(worker, 'message')) as [string]
  assert.match(message, /main thread/)
  await worker.terminate()
})

test('a process is known by its start time, not by its number alone', () => {
  const self = identify(process.pid)
  assert.ok(self !== undefined && isAlive(self))
  assert.equal(isAlive({ ...self, startTime: '1' }), false)
  killProcess({ ...self, startTime: '1' }) // Would end this test if the number alone counted.
})

test('a launcher that is killed from outside is the sandbox’s failure, and takes its command with it', async () => {
  const word = `89${process.pid}`
  const run = bubblewrap().run({ argv: ['sleep', word] }, never())
  assert.ok(await until(() => running(word).length === 1, 5_000))
  for (const { pid, argv } of withArgument(word)) {
    const launcher = argv[0]?.endsWith('bwrap') ? identify(pid) : undefined
    if (launcher !== undefined) killProcess(launcher)
  }
  await assert.rejects(run, /ended from outside/)
  assert.equal(running(word).length, 0)
})
