import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { ToolResult } from '../core/call.ts'
import type { JsonObject } from '../core/json.ts'
import { bubblewrap } from '../sandbox/bubblewrap.ts'
import { type Sandbox, SandboxError } from '../sandbox/sandbox.ts'
import { sandboxUser } from '../sandbox/user.ts'
import { BUILTIN_TOOLS } from './builtin.ts'
import { READ_CHARACTERS } from './read-file.ts'

type Call = (name: string, input: JsonObject) => Promise<ToolResult>

/** A working copy in the real sandbox, with the tools of one run. */
function openRun(files: Record<string, string>, options: { protect?: readonly string[]; sandbox?: Sandbox } = {}) {
  const copy = mkdtempSync(join(tmpdir(), 'tao-files-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), content)
  }
  handOver(copy)
  const place = { sandbox: options.sandbox ?? bubblewrap(), view: { copy, protect: options.protect ?? [] } }
  const call: Call = async (name, input) => {
    const tool = BUILTIN_TOOLS.get(name)?.(place)
    assert.ok(tool)
    const validation = await tool.validate(input)
    assert.ok(validation.ok, JSON.stringify(validation))
    return tool.execute(validation.input, {
      call: 'c1',
      client: 'local',
      idempotencyKey: 'key',
      signal: new AbortController().signal,
    })
  }
  const content = (path: string) => readFileSync(join(copy, path), 'utf8')
  return { call, content, copy, [Symbol.dispose]: () => rmSync(copy, { recursive: true, force: true }) }
}

/** Commands run as another user where the tests run as root. */
function handOver(path: string): void {
  const { dropped, uid, gid } = sandboxUser()
  if (!dropped) return
  chownSync(path, uid, gid)
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) handOver(join(path, name))
}

test('reading, editing and reading again goes through the sandbox and changes the working copy', async () => {
  using run = openRun({ 'src/a.ts': 'one\r\ntwo\r\nthree\r\n' })
  const first = await run.call('read_file', { path: 'src/a.ts' })
  assert.equal(first.text, 'src/a.ts: lines 1-3 of 3, 17 bytes (CRLF line ends)\none\ntwo\nthree')
  const edited = await run.call('edit', { path: '/workspace/src/a.ts', old_text: 'two', new_text: '$&\n2.5' })
  assert.deepEqual(edited.files, ['src/a.ts'])
  assert.equal(
    edited.text,
    'src/a.ts: edited\nfrom line 2, 1 line became 2 lines; lines 1-4 of 4 now read:\none\n$&\n2.5\nthree',
  )
  assert.equal(run.content('src/a.ts'), 'one\r\n$&\r\n2.5\r\nthree\r\n')
})

test('a file that changed since it was read is neither edited nor replaced until it is read again', async () => {
  using run = openRun({ 'a.txt': 'one\n' })
  await run.call('read_file', { path: 'a.txt' })
  await run.call('bash', { command: 'echo two >> a.txt' })
  const edit = { path: './a.txt', old_text: 'one', new_text: '1' }
  assert.match((await run.call('edit', edit)).text, /has changed since it was last read. Read it again/)
  assert.match(
    (await run.call('write_file', { path: 'a.txt', content: '' })).text,
    /has changed since it was last read/,
  )
  await run.call('read_file', { path: 'a.txt' })
  assert.equal((await run.call('edit', edit)).ok, true)
  assert.equal((await run.call('write_file', { path: 'a.txt', content: 'x' })).text, 'a.txt: replaced, 1 bytes')
  assert.equal(run.content('a.txt'), 'x')
})

test('a file that was never read may be edited, but not replaced', async () => {
  using run = openRun({ 'a.txt': 'one\n' })
  assert.match((await run.call('write_file', { path: 'a.txt', content: '' })).text, /has not been read in this run/)
  assert.equal((await run.call('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' })).ok, true)
  assert.equal(run.content('a.txt'), 'two\n')
})

test('what one run has read does not count in another', async () => {
  using one = openRun({ 'a.txt': 'one\n' })
  using other = openRun({ 'a.txt': 'one\n' })
  await one.call('read_file', { path: 'a.txt' })
  assert.equal((await other.call('write_file', { path: 'a.txt', content: '' })).ok, false)
})

test('a new file is created with its folders and may then be replaced', async () => {
  using run = openRun({})
  assert.equal((await run.call('write_file', { path: 'a/b.txt', content: 'hé' })).text, 'a/b.txt: created, 3 bytes')
  assert.equal((await run.call('write_file', { path: 'a/b.txt', content: '' })).text, 'a/b.txt: replaced, 0 bytes')
  assert.equal((await run.call('read_file', { path: 'a/b.txt' })).text, 'a/b.txt: the file is empty (0 bytes)')
})

test('protected paths cannot be changed by any tool, and the model is told so', async () => {
  using run = openRun({ 'tests/t.py': 'assert 1\n', 'settings.json': '{}\n' }, { protect: ['tests', 'settings.json'] })
  const isRefused = async (name: string, input: JsonObject) => {
    const { ok, text } = await run.call(name, input)
    assert.equal(ok, false)
    assert.match(text, /is protected: it cannot be changed in this task/)
  }
  await run.call('read_file', { path: 'settings.json' })
  await isRefused('edit', { path: 'tests/t.py', old_text: '1', new_text: '2' })
  await isRefused('edit', { path: 'settings.json', old_text: '{}', new_text: '[]' })
  await isRefused('write_file', { path: 'settings.json', content: '' })
  await isRefused('write_file', { path: 'tests/new.py', content: '' })
  assert.equal(run.content('settings.json') + run.content('tests/t.py'), '{}\nassert 1\n')
  assert.deepEqual(readdirSync(run.copy).sort(), ['settings.json', 'tests'])
})

test('the mode of a script stays, and a read-only file is refused', async () => {
  using run = openRun({ 'run.sh': 'a\n', 'fixed.txt': 'a\n' })
  chmodSync(join(run.copy, 'run.sh'), 0o755)
  chmodSync(join(run.copy, 'fixed.txt'), 0o444)
  await run.call('edit', { path: 'run.sh', old_text: 'a', new_text: 'b' })
  assert.equal(lstatSync(join(run.copy, 'run.sh')).mode & 0o7777, 0o755)
  const refused = await run.call('edit', { path: 'fixed.txt', old_text: 'a', new_text: 'b' })
  assert.equal(refused.text, '"fixed.txt" cannot be used like this: its permissions do not allow it.')
})

test('nothing outside the workspace can be named, and links out of it are refused', async () => {
  using run = openRun({})
  await run.call('bash', { command: 'ln -s /proc/self/environ env; ln -s / root' })
  for (const path of ['/etc/passwd', 'env', 'root/etc/passwd']) {
    const { ok, text } = await run.call('read_file', { path })
    assert.equal(ok, false)
    assert.match(text, /outside the workspace|is a link to/)
  }
  assert.equal((await run.call('list_files', {})).text, 'env -> /proc/self/environ\nroot -> /')
})

test('a pipe does not hold a reader', async () => {
  using run = openRun({})
  await run.call('bash', { command: 'mkfifo pipe' })
  assert.equal((await run.call('read_file', { path: 'pipe' })).text, '"pipe" is a named pipe, not a regular file.')
})

test('a huge line is shown in parts that go on', async () => {
  using run = openRun({ 'big.json': `${'x'.repeat(READ_CHARACTERS + 10)}\n` })
  const first = await run.call('read_file', { path: 'big.json' })
  assert.equal(first.truncated, true)
  assert.match(first.text, /the line has 20010 characters and is cut: go on with from_line 1 and from_column 20001\nx/)
  const rest = await run.call('read_file', { path: 'big.json', from_line: 1, from_column: READ_CHARACTERS + 1 })
  assert.match(rest.text, /\nx{10}$/)
})

test('searching tells matches and what was skipped', async () => {
  using run = openRun({ 'a.py': 'import os\n', 'node_modules/m.js': 'import os\n' })
  assert.equal(
    (await run.call('search_files', { pattern: '^import', regex: true })).text,
    '1 matching line in 1 file\na.py:1: import os\n[skipped folders not searched: node_modules]',
  )
  assert.match((await run.call('search_files', { pattern: 'none' })).text, /^no matching lines in 1 file\n/)
})

test('a broken sandbox is thrown by every tool', async () => {
  using run = openRun({}, { sandbox: bubblewrap({ program: '/nonexistent/bwrap' }) })
  const inputs: Record<string, JsonObject> = {
    read_file: { path: 'a' },
    list_files: {},
    search_files: { pattern: 'a' },
    edit: { path: 'a', old_text: 'a', new_text: 'b' },
    write_file: { path: 'a', content: '' },
    bash: { command: 'true' },
  }
  assert.deepEqual(Object.keys(inputs).sort(), [...BUILTIN_TOOLS.keys()].sort())
  for (const [name, input] of Object.entries(inputs)) await assert.rejects(run.call(name, input), SandboxError)
})

test('only tools that change nothing say they only read', () => {
  using run = openRun({})
  const place = { sandbox: bubblewrap(), view: { copy: run.copy, protect: [] } }
  const effects = [...BUILTIN_TOOLS].map(([name, make]) => [name, make(place).definition.name, ...make(place).effects])
  assert.deepEqual(effects, [
    ['read_file', 'read_file', 'read'],
    ['list_files', 'list_files', 'read'],
    ['search_files', 'search_files', 'read'],
    ['edit', 'edit', 'write'],
    ['write_file', 'write_file', 'write'],
    ['bash', 'bash', 'write'],
  ])
})
