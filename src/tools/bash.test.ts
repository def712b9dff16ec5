import assert from 'node:assert/strict'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ToolResult } from '../core/call.ts'
import { bubblewrap } from '../sandbox/bubblewrap.ts'
import { SandboxError, type SandboxLimits } from '../sandbox/sandbox.ts'
import { sandboxUser } from '../sandbox/user.ts'
import { bash } from './bash.ts'

const newFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'tao-bash-'))
  const { dropped, uid, gid } = sandboxUser()
  if (dropped) chownSync(path, uid, gid)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

interface Call {
  readonly command: string
  readonly time_limit?: number
  readonly signal?: AbortSignal
  readonly limits?: Partial<SandboxLimits>
}

async function runIn(
  copy: string,
  { signal = new AbortController().signal, limits = {}, ...input }: Call,
): Promise<ToolResult> {
  const tool = bash({ sandbox: bubblewrap(), view: { copy, protect: [] }, limits })
  const validation = await tool.validate(input)
  assert.ok(validation.ok)
  return tool.execute(validation.input, { call: 'c1', client: 'local', idempotencyKey: 'key', signal })
}

async function run(call: Call): Promise<ToolResult> {
  using folder = newFolder()
  return await runIn(folder.path, call)
}

const TEXTS: readonly [string, string, string][] = [
  ['nothing', 'true', 'exit code: 0\nno output'],
  ['output and error apart', 'echo out; echo err >&2', 'exit code: 0\nstdout:\nout\nstderr:\nerr'],
  ['a failing command', 'echo no; exit 1', 'exit code: 1\nstdout:\nno'],
  ['a program that is not there', 'nosuch', 'exit code: 127\nstderr:\n/bin/bash: line 1: nosuch: command not found'],
  ['blank output', 'echo; echo', 'exit code: 0\nstdout: only white space or control characters, 2 bytes'],
  // https://github.com/turnstonelabs/turnstone/pull/816
  ['bytes that are no UTF-8', "printf '\\xff\\xfe'", 'exit code: 0\nstdout:\n\ufffd\ufffd'],
  // https://github.com/nex-agi/NexAU/issues/8
  ['colours and redraws', "printf '\\033[31m10%%\\r20%%\\r\\033[0m100%%\\n'", 'exit code: 0\nstdout:\n100%'],
  // https://github.com/anomalyco/opencode/issues/42773
  ['a program that asks', 'read x; echo "got:$x"', 'exit code: 0\nstdout:\ngot:'],
  ['the workspace', 'pwd', 'exit code: 0\nstdout:\n/workspace'],
]
for (const [what, command, text] of TEXTS)
  test(`bash shows ${what}`, async () => assert.equal((await run({ command })).text, text))

test('a command that failed is an ok call, with its exit code beside it', async () => {
  const { ok, exit } = await run({ command: 'exit 3' })
  assert.deepEqual({ ok, exit }, { ok: true, exit: 3 })
})

test('a command that a signal ended is told as shells tell it', async () => {
  const { ok, exit, text } = await run({ command: 'echo begun; kill -9 $$' })
  assert.deepEqual({ ok, exit }, { ok: true, exit: 137 })
  assert.match(text, /^exit code: 137\nkilled \(SIGKILL\).*\nstdout:\nbegun$/)
})

// https://github.com/anomalyco/opencode/issues/48414 and https://github.com/coder/xum/pull/41
test('background processes do not hold the call, are ended, and are told', async () => {
  for (const command of ['sleep 600 & echo done', 'setsid sleep 600 </dev/null >/dev/null & echo done']) {
    const { ok, text } = await run({ command })
    assert.equal(text, 'exit code: 0\nbackground processes were still running and were ended\nstdout:\ndone')
    assert.equal(ok, true)
  }
})

// https://github.com/earendil-works/pi/issues/9460
test('a time limit ends everything, is named, and keeps what was written before', async () => {
  const { ok, text } = await run({ command: 'echo begun; trap "" TERM; sleep 600 | cat', time_limit: 0.5 })
  assert.equal(ok, false)
  assert.match(text, /^exit code: 137\nended by the time limit of 0\.5 s \(wallTime\): it had not finished\n/)
  assert.match(text, /stdout:\nbegun$/)
})

// https://github.com/nicobailon/pi-subagents/issues/978 and https://github.com/openclaw/openclaw/issues/12407
test('a time limit over the maximum is clamped, and that is told', async () => {
  const { text } = await run({ command: 'true', time_limit: 2_592_000_000 })
  assert.equal(text, 'exit code: 0\ntime limit: 2592000000 s is too long, 600 s were allowed\nno output')
})

test('limits that the task sets hold, and the one that is hit is named', async () => {
  const limits = { wallTime: 300, fileSize: 4096, tempSpace: 8192 }
  const file = await run({ command: 'head -c 9000 /dev/zero >f', limits })
  assert.match(file.text, /^exit code: 153\na file grew beyond 4 KB \(fileSize, SIGXFSZ\)/)
  const space = await run({ command: 'cp /bin/ls /tmp', limits: { tempSpace: 8192 } })
  assert.match(space.text, /^exit code: 1\nlikely reached the limit of 8 KB of temporary space/)
  const slow = await run({ command: 'sleep 60', time_limit: 60, limits })
  assert.match(slow.text, /\ntime limit: 60 s is too long, 0\.3 s were allowed\nended by the time limit of 0\.3 s/)
})

// https://github.com/mastra-ai/mastra/issues/24346 and https://github.com/Gitlawb/zero/issues/469
test('a gigabyte of output is ended at the output limit and does not fill the memory', async () => {
  const before = process.memoryUsage().rss
  const { ok, text, truncated } = await run({ command: 'yes | head -c 1000000000' })
  assert.equal(ok, false)
  assert.equal(truncated, true)
  assert.match(text, /ended by the output limit of 64 MB/)
  assert.match(text, /stdout \(truncated: \d+ bytes were written, the middle is left out\):\ny\ny/)
  assert.ok(text.length < 3_000_000)
  assert.ok(process.memoryUsage().rss - before < 300 * 2 ** 20)
})

test('long output is cut in the middle, with its size', async () => {
  const { ok, text, truncated } = await run({
    command: 'echo first; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last',
  })
  assert.deepEqual({ ok, truncated }, { ok: true, truncated: true })
  assert.match(
    text,
    /^exit code: 0\nstdout \(truncated: 3000012 bytes were written, the middle is left out\):\nfirst\nx/,
  )
  assert.match(text, /x\nlast$/)
})

test('a broken sandbox is thrown, never shown as the exit code of a command', async () => {
  using folder = newFolder()
  const place = { sandbox: bubblewrap({ program: '/nonexistent/bwrap' }), view: { copy: folder.path, protect: [] } }
  const call = bash(place).execute(
    { command: 'true' },
    { call: 'c1', client: 'local', idempotencyKey: 'key', signal: new AbortController().signal },
  )
  await assert.rejects(call, SandboxError)
})

test('a cancelled command is ended and throws what cancelled it', async () => {
  using folder = newFolder()
  const signal = AbortSignal.timeout(50)
  await assert.rejects(runIn(folder.path, { command: 'sleep 0.3; touch late', signal }), { name: 'TimeoutError' })
  assert.equal(existsSync(join(folder.path, 'late')), false)
})
