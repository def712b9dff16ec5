import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bubblewrap } from './bubblewrap.ts'
import { describeEnd } from './exit.ts'
import { removeTree } from './remove-tree.ts'
import { never, tempFolder, writeCopy } from './sandbox.contract.ts'
import type { CommandResult, SandboxLimits } from './sandbox.ts'

const MEBIBYTE = 1 << 20
const IMPORTS = 'import mmap, os, sys, time\n'

interface Ending extends CommandResult {
  /** What the model is told. */
  readonly told: string
}

/** Runs a program that means no good, on a working copy of its own. */
async function attack(argv: readonly string[], limits: Partial<SandboxLimits>): Promise<Ending> {
  await using folder = tempFolder()
  const copy = writeCopy(join(folder.path, 'copy'), { 'a.txt': 'a' })
  const bounds = { wallTime: 20_000, ...limits }
  const result = await bubblewrap().run({ argv, view: { copy, protect: [] }, limits: bounds }, never())
  assert.equal(readFileSync(join(copy, 'a.txt'), 'utf8'), 'a')
  return { ...result, told: describeEnd(result, bounds) ?? '' }
}
const script = (text: string, limits: Partial<SandboxLimits>) => attack(['bash', '-c', text], limits)
const python = (text: string, limits: Partial<SandboxLimits>) => attack(['python3', '-c', IMPORTS + text], limits)

test('a fork bomb is ended, and the limit is named', async () => {
  const stubborn = 'while True:\n  try: os.fork()\n  except OSError: pass'
  const bomb = await python(stubborn, { processes: 60 })
  assert.equal(bomb.limit, 'processes')
  assert.match(bomb.told, /^ended by the limit of 60 processes and threads/)
  const classic = await script(':(){ :|:& };:; sleep 10', { processes: 60 })
  assert.equal(classic.limit, 'processes')
})

test('a program that could not start all it wanted is told the likely reason', async () => {
  const text =
    'n = 0\ntry:\n  while True:\n    if os.fork() == 0: time.sleep(5)\n    n += 1\nexcept OSError: time.sleep(0.4); sys.exit(1)'
  const result = await python(text, { processes: 40 })
  assert.equal(result.limit, undefined)
  assert.match(result.told, /likely reached the limit of 40 processes/)
})

test('memory is bounded in one process, and the limit is named', async () => {
  const hog = 'x = []\nwhile True: x.append(b"x" * 4000000)'
  const own = await python(hog, { memory: 200 * MEBIBYTE })
  assert.match(own.stderr.text, /MemoryError/)
  const all = await python(hog, { totalMemory: 200 * MEBIBYTE, memory: 4096 * MEBIBYTE })
  assert.equal(all.limit, 'totalMemory')
  assert.match(all.told, /^ended by the memory limit of 200 MB for all its processes/)
})

// https://github.com/anthropics/claude-code/issues/70204
test('memory is bounded over many processes, own and shared, and with files in memory', async () => {
  const limits = { totalMemory: 150 * MEBIBYTE }
  const many = 'for i in range(6):\n  if os.fork() == 0: x = b"x" * 40000000; time.sleep(15)\ntime.sleep(15)'
  assert.equal((await python(many, limits)).limit, 'totalMemory')
  const shared = 'm = mmap.mmap(-1, 200000000)\nfor i in range(0, 200000000, 4096): m[i] = 1\ntime.sleep(15)'
  assert.equal((await python(shared, limits)).limit, 'totalMemory')
  const files = 'head -c 80M /dev/zero >/tmp/a; head -c 80M /dev/zero >/dev/shm/b; sleep 15'
  assert.equal((await script(files, limits)).limit, 'totalMemory')
})

test('memory that processes share counts once', async () => {
  const text =
    'x = b"x" * 80000000\nfor i in range(5):\n  if os.fork() == 0: time.sleep(0.4); os._exit(0)\ntime.sleep(0.5)'
  const result = await python(text, { totalMemory: 200 * MEBIBYTE })
  assert.deepEqual([result.limit, result.exit], [undefined, 0])
})

test('endless and huge output is ended, and the limit is named', async () => {
  for (const text of ['yes', 'head -c 200M /dev/zero', 'head -c 200M /dev/zero >&2']) {
    const before = process.memoryUsage().rss
    const result = await script(text, { output: 4 * MEBIBYTE, keep: 16_384 })
    assert.equal(result.limit, 'output', text)
    assert.match(result.told, /^ended by the output limit of 4 MB/)
    assert.ok(process.memoryUsage().rss - before < 100 * MEBIBYTE)
  }
})

test('many small files are ended, and the limit is named', async () => {
  const text = 'n = 0\nwhile True:\n  open(f"f{n}", "w").write("x"); n += 1'
  const result = await python(text, { files: 5_000 })
  assert.equal(result.limit, 'files')
  assert.match(result.told, /^ended by the limit of files \(files\): more than 5000 were added/)
})

test('a working copy that grows is ended, and the limit is named', async () => {
  const result = await script('for i in {1..40}; do head -c 10M /dev/urandom >f$i; done; sleep 15', {
    disk: 40 * MEBIBYTE,
  })
  assert.equal(result.limit, 'disk')
  assert.match(result.told, /^ended by the disk limit \(disk\): the workspace grew by more than 40 MB/)
})

test('a file system that others fill ends nobody', async () => {
  await using other = tempFolder()
  const filling = bubblewrap().run(
    {
      argv: ['bash', '-c', 'head -c 60M /dev/urandom >f; sleep 0.5'],
      view: { copy: writeCopy(join(other.path, 'copy'), {}), protect: [] },
    },
    never(),
  )
  const result = await script('sleep 0.8', { disk: 20 * MEBIBYTE })
  assert.deepEqual([result.limit, result.exit, (await filling).exit], [undefined, 0, 0])
})

test('a file that is too large, sparse or not, ends its writer, and the limit is named', async () => {
  for (const text of ['truncate -s 8G huge', 'head -c 3M /dev/zero >huge', 'fallocate -l 8G huge']) {
    const result = await script(text, { fileSize: MEBIBYTE })
    assert.equal(result.exit, 153, text)
    assert.match(result.told, /a file grew beyond 1 MB \(fileSize, SIGXFSZ\)/)
  }
})

test('temporary space that is full is named', async () => {
  for (const folder of ['/tmp', '/dev/shm', '/home/agent']) {
    const result = await script(`head -c 3M /dev/zero >${folder}/f`, { tempSpace: 2 * MEBIBYTE })
    assert.equal(result.exit, 1)
    assert.match(result.stderr.text, /No space left on device/)
    assert.match(result.told, /likely reached the limit of 2 MB of temporary space/)
  }
})

test('processor time that is used up is named', async () => {
  const result = await script('while :; do :; done', { cpuTime: 1 })
  assert.match(result.told, /more than 1 s of processor time \(cpuTime, SIGXCPU\)/)
})

test('a folder 3,000 deep harms nobody, and can be removed', async () => {
  const folder = tempFolder()
  const copy = writeCopy(join(folder.path, 'copy'), {})
  const text = 'import os\nfor i in range(3000): os.mkdir("deep"); os.chdir("deep")'
  const result = await bubblewrap().run({ argv: ['python3', '-c', text], view: { copy, protect: [] } }, never())
  assert.deepEqual([result.exit, result.limit], [0, undefined])
  await removeTree(folder.path)
})

test('a command that stays within its limits is told nothing', async () => {
  const { told, limit, reached } = await script('echo x >/tmp/f; sleep 0.2', {})
  assert.deepEqual([told, limit, reached], ['', undefined, []])
})
