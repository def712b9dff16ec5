import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { removeTree } from './remove-tree.ts'
import { type Command, type CommandResult, type Sandbox, SandboxError } from './sandbox.ts'
import { sandboxUser } from './user.ts'

export interface TempFolder extends AsyncDisposable {
  readonly path: string
}

/** A folder that the sandbox's user can reach. */
export function tempFolder(): TempFolder {
  const path = mkdtempSync(join(tmpdir(), 'tao-sandbox-'))
  chmodSync(path, 0o755)
  return { path, [Symbol.asyncDispose]: () => removeTree(path) }
}

/** Writes files by their paths; `null` makes a folder. */
export function writeTree(root: string, files: Readonly<Record<string, string | null>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(text === null ? join(root, path) : dirname(join(root, path)), { recursive: true })
    if (text !== null) writeFileSync(join(root, path), text)
  }
}

/** A tree as a working copy has it: what is in it belongs to the sandbox's user. */
export function writeCopy(root: string, files: Readonly<Record<string, string | null>>): string {
  const { uid, gid } = sandboxUser()
  writeTree(root, { '.': null, ...files })
  const all = new Set(
    Object.keys(files).flatMap((path) => path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))),
  )
  for (const path of ['.', ...all]) chownSync(join(root, path), uid, gid)
  return root
}

export const never = (): AbortSignal => new AbortController().signal

/** What every sandbox promises, whatever it is made of. */
export function sandboxContract(name: string, make: () => Sandbox): void {
  const run = (command: Command, signal = never()): Promise<CommandResult> => make().run(command, signal)
  const bash = (script: string, more: Partial<Command> = {}) => run({ argv: ['bash', '-c', script], ...more })

  test(`${name}: a probe that succeeds says so`, async () => {
    assert.equal((await make().probe()).ok, true)
  })

  test(`${name}: a command gets its arguments as they are and its exit code comes back`, async () => {
    const result = await run({
      argv: ['bash', '-c', 'printf "%s|" "$@"; echo err >&2; exit 7', 'x', 'a b', '', '*', '-n', '$HOME\n'],
    })
    assert.equal(result.stdout.text, 'a b||*|-n|$HOME\n|')
    assert.equal(result.stderr.text, 'err\n')
    assert.equal(result.exit, 7)
    assert.equal(result.leftovers, false)
    assert.equal(result.limit, undefined)
    assert.ok(result.durationMs > 0)
  })

  test(`${name}: standard input is what was given, whole, and then at its end`, async () => {
    const text = 'ä€😀 line\n'.repeat(20_000)
    assert.equal((await run({ argv: ['cat'], stdin: text })).stdout.text, text)
    assert.equal((await bash('cat; echo end')).stdout.text, 'end\n')
  })

  test(`${name}: output streams can be opened by name, as scripts do`, async () => {
    const result = await bash('echo a >/dev/stdout; echo b >/dev/stderr; cat /dev/stdin | tee /dev/stderr', {
      stdin: 'in',
    })
    assert.equal(result.stdout.text, 'a\nin')
    assert.equal(result.stderr.text, 'b\nin')
  })

  test(`${name}: a missing program is 127, one that cannot run 126, a signal 128 and its number`, async () => {
    assert.equal((await run({ argv: ['no-such-program'] })).exit, 127)
    assert.match((await run({ argv: ['no-such-program'] })).stderr.text, /no-such-program: command not found/)
    assert.equal((await run({ argv: ['/workspace/none'] })).exit, 127)
    assert.equal((await run({ argv: ['/etc/passwd'] })).exit, 126)
    assert.equal((await run({ argv: [''] })).exit, 127)
    assert.equal((await bash('kill -SEGV $$')).exit, 139)
  })

  test(`${name}: what no kernel would start is the command's failure, not the sandbox's`, async () => {
    const long = await run({ argv: ['echo', 'x'.repeat(200_000)] })
    assert.equal(long.exit, 126)
    assert.match(long.stderr.text, /put the text into a file/)
    assert.equal((await run({ argv: ['echo', 'a\0b'] })).exit, 126)
  })

  test(`${name}: bytes that are not UTF-8 are replaced, split characters are not`, async () => {
    const result = await bash(`printf 'a\\xffb'; for b in '\\xe2' '\\x82' '\\xac'; do printf $b; sleep 0.02; done`)
    assert.equal(result.stdout.text, 'a\uFFFDb€')
    assert.equal(result.stdout.bytes, 6)
  })

  test(`${name}: long output keeps its beginning and its end`, async () => {
    const { stdout } = await bash('seq 1 100000', { limits: { keep: 1000 } })
    assert.equal(stdout.truncated, true)
    assert.equal(stdout.bytes, 588_895)
    assert.match(stdout.text, /^1\n2\n3\n/)
    assert.match(stdout.text, /\n\[… 587895 bytes left out …\]\n/)
    assert.match(stdout.text, /99999\n100000\n$/)
  })

  test(`${name}: endless output ends the command and the limit is named`, async () => {
    const result = await run({ argv: ['yes'], limits: { output: 1_000_000, keep: 2_000 } })
    assert.equal(result.limit, 'output')
    assert.ok(result.stdout.bytes >= 1_000_000 && result.stdout.bytes < 2_000_000)
  })

  test(`${name}: time that is up ends the whole tree and the limit is named`, async () => {
    await using folder = tempFolder()
    const copy = writeCopy(join(folder.path, 'copy'), {})
    const result = await bash('trap "" TERM INT; (setsid sleep 1.2; echo late >late) & echo early; sleep 60', {
      view: { copy, protect: [] },
      limits: { wallTime: 500 },
    })
    assert.equal(result.limit, 'wallTime')
    assert.equal(result.stdout.text, 'early\n')
    assert.ok(result.durationMs < 5_000)
    assert.equal((await bash('sleep 1; ls', { view: { copy, protect: [] } })).stdout.text, '')
  })

  // https://github.com/google-gemini/gemini-cli/issues/3737 and many like it: `server &` made a tool hang.
  test(`${name}: a background child delays nothing and is ended, silent or not`, async () => {
    for (const script of ['sleep 60 & echo done', 'setsid sleep 60 >/dev/null 2>&1 </dev/null & echo done']) {
      const result = await bash(script)
      assert.equal(result.stdout.text, 'done\n')
      assert.equal(result.exit, 0)
      assert.equal(result.leftovers, true)
      assert.ok(result.durationMs < 5_000)
    }
  })

  test(`${name}: what ends by itself a moment later is no leftover, and its words are kept`, async () => {
    const result = await bash('echo first > >(cat; echo last)')
    assert.equal(result.stdout.text, 'first\nlast\n')
    assert.equal(result.leftovers, false)
  })

  test(`${name}: a script that signals its whole group gets its own answer`, async () => {
    const result = await bash(`trap 'trap - TERM; kill 0' EXIT; echo words`)
    assert.equal(result.stdout.text, 'words\n')
    assert.equal(result.exit, 143)
  })

  test(`${name}: an abort ends the command and rejects with its reason`, async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    setTimeout(() => controller.abort(reason), 50)
    await assert.rejects(run({ argv: ['sleep', '60'] }, controller.signal), reason)
    await assert.rejects(run({ argv: ['true'] }, AbortSignal.abort(reason)), reason)
  })

  test(`${name}: a view that cannot be held is the sandbox's failure`, async () => {
    await using folder = tempFolder()
    const copy = writeCopy(join(folder.path, 'copy'), { 'a.txt': 'a' })
    for (const view of [
      { copy, protect: ['missing'] },
      { copy, protect: ['../up'] },
      { copy, protect: ['/etc'] },
      { copy: join(folder.path, 'none'), protect: [] },
      { copy: 'relative', protect: [] },
    ])
      await assert.rejects(run({ argv: ['true'], view }), SandboxError)
  })

  test(`${name}: many commands at once do not disturb each other`, async () => {
    const results = await Promise.all(Array.from({ length: 8 }, (_, i) => bash(`echo ${i}; exit ${i}`)))
    assert.deepEqual(
      results.map(({ exit, stdout }) => [exit, stdout.text]),
      results.map((_, i) => [i, `${i}\n`]),
    )
  })
}
