import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { bubblewrap } from './bubblewrap.ts'
import { identify, isAlive, killProcess } from './process.ts'
import { never, tempFolder, writeCopy } from './sandbox.contract.ts'

const MODULE = JSON.stringify(new URL('./bubblewrap.ts', import.meta.url).href)

/** All processes of this machine with this word in one of their arguments. */
function withArgument(word: string): { pid: number; argv: string[] }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const argv = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
        return argv.some((argument) => argument.includes(word)) ? [{ pid: Number(name), argv }] : []
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

/** Bubblewrap by a name of its own: all that is started with it, commands or not, can be told from everything else. */
function ownProgram(): AsyncDisposable & { readonly program: string } {
  const folder = tempFolder()
  const program = join(folder.path, 'bwrap')
  symlinkSync('/usr/bin/bwrap', program)
  return { program, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

/** Another Tao. It says a word before it does what it is told. The program's name is not among its own arguments. */
async function startHarness(program: string, script: string, { ahead = false } = {}): Promise<ChildProcess> {
  const code = `
    import { bubblewrap } from ${MODULE}
    import { setTimeout as sleep } from 'node:timers/promises'
    const program = Buffer.from('${Buffer.from(program).toString('base64')}', 'base64').toString()
    const sandbox = bubblewrap({ program, ahead: ${ahead} })
    const run = (...argv) => sandbox.run({ argv }, new AbortController().signal)
    await bubblewrap().probe()
    process.stdout.write('now')
    ${script}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (child.stdout !== null) await once(child.stdout, 'data')
  return child
}

async function killAfter(moment: number, harness: ChildProcess): Promise<void> {
  await sleep(moment)
  harness.kill('SIGKILL')
  await once(harness, 'exit')
}

/** Nothing is left soon, and nothing comes up late either. */
async function leavesNothing(program: string): Promise<boolean> {
  const isGone = await until(() => withArgument(program).length === 0, 5_000)
  await sleep(30)
  return isGone && withArgument(program).length === 0
}

// https://github.com/containers/bubblewrap/issues/633: a parent that dies at the wrong moment left processes waiting.
test('when Tao is killed, at whatever moment, none of the sandboxes that it just started lives on', async () => {
  const isGone = async (moment: number) => {
    await using own = ownProgram()
    const harness = await startHarness(
      own.program,
      `for (let i = 0; i < 8; i++) { run('sleep', '60'); await sleep(5) }`,
    )
    await killAfter(moment, harness)
    return await leavesNothing(own.program)
  }
  for (const moments of [
    [0, 6],
    [12, 18],
    [25, 35],
    [60, 150],
  ])
    assert.deepEqual(await Promise.all(moments.map(isGone)), [true, true], moments.join(' and '))
})

test('when Tao is killed while a command runs, the command is gone soon', async () => {
  await using own = ownProgram()
  const word = `87${process.pid}`
  const harness = await startHarness(own.program, `await run('sleep', '87' + ${process.pid})`)
  assert.ok(await until(() => running(word).length === 1, 5_000))
  await killAfter(0, harness)
  assert.ok(await leavesNothing(own.program))
  assert.equal(running(word).length, 0)
})

test('a sandbox that waits for its command goes with Tao: killed, ended, or about to start it', async () => {
  const isGone = async ([wait, ending]: readonly [number, string]) => {
    await using own = ownProgram()
    const harness = await startHarness(own.program, `await run('true'); await sleep(${wait}); ${ending}`, {
      ahead: true,
    })
    const stood = until(() => withArgument(own.program).length > 0, 10_000)
    await once(harness, 'exit')
    return (await stood) && (await leavesNothing(own.program))
  }
  const kill = 'process.kill(process.pid, "SIGKILL")'
  // Where nothing is said, the program ends because nothing keeps it alive.
  const ends = [
    [300, 'process.exit()'],
    [0, 'process.exit()'],
    [300, ''],
    [300, kill],
    [5, kill],
    [12, kill],
  ] as const
  assert.deepEqual(
    await Promise.all(ends.map(isGone)),
    ends.map(() => true),
  )
})

test('300 commands that are stopped at random moments leave nothing behind', async () => {
  await using own = ownProgram()
  const sandbox = bubblewrap({ program: own.program })
  const reason = new Error('stop')
  let stopped = 0
  const stopSome = async () => {
    for (let i = 0; i < 50; i++) {
      const controller = new AbortController()
      const run = sandbox.run({ argv: ['sleep', '60'] }, controller.signal)
      setTimeout(() => controller.abort(reason), Math.random() * 60)
      await assert.rejects(run, reason)
      stopped += 1
    }
  }
  await Promise.all(Array.from({ length: 6 }, stopSome))
  assert.equal(stopped, 300)
  assert.deepEqual(withArgument(own.program), [])
})

test('200 sandboxes started at the same time all run, and leave nothing', async () => {
  await using own = ownProgram()
  const sandbox = bubblewrap({ program: own.program })
  const runs = Array.from({ length: 200 }, (_, i) => sandbox.run({ argv: ['echo', `${i}`] }, never()))
  const texts = (await Promise.all(runs)).map(({ stdout }) => stdout.text)
  assert.deepEqual(
    texts,
    Array.from({ length: 200 }, (_, i) => `${i}\n`),
  )
  await sandbox.close()
  assert.deepEqual(withArgument(own.program), [])
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
  await using own = ownProgram()
  const word = `89${process.pid}`
  const run = bubblewrap({ program: own.program }).run({ argv: ['sleep', word] }, never())
  assert.ok(await until(() => running(word).length === 1, 5_000))
  for (const { pid } of withArgument(own.program)) {
    const launcher = identify(pid)
    if (launcher !== undefined) killProcess(launcher)
  }
  await assert.rejects(run, /ended from outside/)
  assert.equal(running(word).length, 0)
})
