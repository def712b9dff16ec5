import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { saying } from '../support/bench.ts'
import { eventsIn, openTao, type TaoCommand } from '../support/tao-command.ts'

let tao: TaoCommand
let model: readonly string[]
before(async () => {
  tao = await openTao({ 'a.txt': 'one\n' })
  model = await tao.script([saying('Fine.')])
})
after(() => tao[Symbol.asyncDispose]())

/** Wrong usage: exit code 2, one clear sentence, no stack trace, nothing on standard output. */
async function refused(args: readonly string[], sentence: RegExp): Promise<void> {
  const { code, stdout, stderr } = await tao.run(args)
  assert.match(stderr, sentence)
  assert.deepEqual([code, stdout], [2, ''])
  assert.doesNotMatch(stderr, /^ +at |node:internal|undefined/m)
}

const taskFile = (text: string, name = 'x.task.yaml'): Promise<string> => tao.write(name, text)

describe('bad input is a clear error, never a stack trace', { concurrency: 2 }, () => {
  test('a command or an option that does not exist', async () => {
    await refused(['rnu'], /^tao: Unknown command 'rnu'\. Did you mean run\?\n/)
    await refused(['run', 'x', '--modle', 'y'], /^tao: Unknown option '--modle'\. Did you mean --model\?\n/)
  })

  test('a task in several words, and no task at all', async () => {
    await refused(['run', 'Do', 'it'], /^tao: Too many arguments .*\n.*in quotes/)
    await refused(['run'], /^tao: Missing required argument 'task'/)
    await refused(['run', ' ', ...model], /^tao: The task is empty\./)
  })

  test('a task file that is missing', () =>
    refused(['run', 'gone.task.yaml'], /^tao: There is no task file gone\.task\.yaml\.\n/))

  test('YAML that is none, with line and column', async () => {
    await taskFile('task: x\nlimits: { modelCalls: 3\n', 'broken.yaml')
    await refused(['run', 'broken.yaml'], /^tao: broken\.yaml:\d+:\d+: This is not YAML: /)
  })

  test('an unknown key, an unknown tool and an impossible limit, all told at once', async () => {
    await taskFile('task: x\nworkspce: { path: . }\ntools: [read_fil]\nlimits: { toolCalls: -1 }\n', 'wrong.yaml')
    const { code, stderr } = await tao.run(['run', 'wrong.yaml'])
    assert.equal(code, 2)
    assert.deepEqual(stderr.split('\n').slice(0, 3), [
      'tao: wrong.yaml:2:1: Unknown key "workspce". Did you mean "workspace"?',
      'wrong.yaml:3:9: There is no tool "read_fil". Did you mean "read_file"?',
      'wrong.yaml:4:22: "limits.toolCalls" must be a whole number above 0, but -1 stands there.',
    ])
  })

  test('flags: a limit, a tool, a model, a path to protect', async () => {
    await refused(
      ['run', 'x', '--wall-time', '10', ...model],
      /^tao: --wall-time must be a length of time above 0, such as 90s/,
    )
    await refused(
      ['run', 'x', '-w', 'project', '-t', 'bsh', ...model],
      /^tao: There is no tool "bsh"\. Did you mean "bash"\?/m,
    )
    await refused(
      ['run', 'x', '--tools', 'bash', ...model],
      /^tao: The tool bash needs a workspace.*\n.*--workspace DIR/m,
    )
    await refused(
      ['run', 'x', '--model', 'deepseek/deepseek-chat'],
      /^tao: .* needs a key, and DEEPSEEK_API_KEY is not set/,
    )
    await refused(
      ['run', 'x', '-w', 'project', '-p', 'b.txt', ...model],
      /^tao: The protected path "b\.txt" does not exist/m,
    )
    await refused(
      ['run', 'x', '--cost', '1', ...model],
      /^tao: A cost limit was set, but the price of .* is not known/m,
    )
  })

  test('a workspace that does not exist, is a file, or is the whole machine', async () => {
    await refused(['run', 'x', '-w', 'gone', ...model], /^tao: The workspace .*\/gone does not exist\.\n/m)
    await refused(
      ['run', 'x', '-w', 'script.json', ...model],
      /^tao: The workspace .*script\.json is not a folder\.\n/m,
    )
    await refused(['run', 'x', '-w', '/', ...model], /^tao: The workspace may not be the whole machine/m)
  })

  test('a run that does not exist, or whose beginning is not unique', async () => {
    await using other = await openTao()
    const script = await other.script([saying('4')])
    for (let i = 0; i < 2; i++) await other.run(['run', 'x', ...script])
    const gone = await other.run(['show', 'nope'])
    assert.deepEqual(
      [gone.code, gone.stderr],
      [2, 'tao: There is no run "nope".\nSee which there are with: tao runs\n'],
    )
    const many = await other.run(['show', '2'])
    assert.match(many.stderr, /^tao: 2 runs begin with "2": /)
    const listed = await other.run(['runs'])
    assert.match(listed.stdout, /^\S+ {2}answered .*\n\S+ {2}answered .*\n$/)
  })

  test('with --json an error is JSON too', async () => {
    const { code, stdout, stderr } = await tao.run(['run', 'x', '--json', '--model', 'nope/x'])
    const { error } = JSON.parse(stdout) as { error: { code: string; message: string; fix: string } }
    assert.deepEqual([code, error.code, stderr], [2, 'model', ''])
    assert.match(error.fix, /Providers: deepseek/)
  })

  test('TAO_DEBUG=1 shows where an error comes from', async () => {
    const { stderr } = await tao.run(['run', 'gone.task.yaml'], { TAO_DEBUG: '1' })
    assert.match(stderr, /^ +at .*task-file\.ts/m)
  })
})

const run = promisify(execFile)

test('what cannot be copied is left out and said: a pipe, a device, a link outside, a file without rights, a name that is not UTF-8', async () => {
  await using odd = await openTao({ 'a.txt': 'one\n', 'sub/b.txt': 'b\n' })
  const at = (name: string) => join(odd.project, name)
  await run('mkfifo', [at('pipe')])
  await symlink('/etc/passwd', at('outside'))
  await writeFile(Buffer.concat([Buffer.from(`${odd.project}/`), Buffer.from([0x66, 0xff])]), '')
  const isRoot = process.getuid?.() === 0
  if (isRoot) await run('mknod', [at('zero'), 'c', '1', '5'])
  else {
    await writeFile(at('secret'), '')
    await chmod(at('secret'), 0)
  }
  const script = await odd.script([{ calls: [{ name: 'list_files', arguments: {} }] }, saying('Seen.')])
  const ended = await odd.run(['run', 'Look.', '-w', 'project', ...script, '--json'])
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  const [started] = eventsIn(ended)
  assert.ok(started?.kind === 'run.started')
  const skipped = Object.fromEntries((started.workspace?.skipped ?? []).map(({ path, why }) => [path, why]))
  assert.deepEqual(skipped, {
    'f\\xff': 'its name is not UTF-8',
    outside: 'it is a link that leads out of the tree',
    pipe: 'it is a named pipe',
    ...(isRoot ? { zero: 'it is a device' } : { secret: 'it cannot be read with the rights of this user' }),
  })
  assert.deepEqual((await readdir(odd.project)).length, 6)
  const shown = await odd.run(['show'])
  assert.match(shown.stdout, /not copied: pipe: it is a named pipe\n/)
})

test('a state directory that the user of the sandbox cannot reach is told with the line that mends it', async () => {
  await using closed = await openTao({ 'a.txt': 'one\n' })
  const script = await closed.script([saying('Fine.')])
  const inner = join(closed.folder, 'closed')
  await mkdir(inner)
  await chmod(inner, 0o700)
  const ended = await closed.run(['run', 'x', '-w', 'project', ...script], { TAO_HOME: join(inner, 'state') })
  if (process.getuid?.() !== 0) return assert.equal(ended.code, 0, ended.stderr)
  assert.equal(ended.code, 2)
  assert.match(ended.stderr, /chmod o\+x .*\/closed/)
  assert.equal(await readFile(join(closed.project, 'a.txt'), 'utf8'), 'one\n')
})

test('a state directory that is a file is told with the variable that names another', async () => {
  await using odd = await openTao()
  const script = await odd.script([saying('4')])
  await writeFile(odd.home, '')
  const ended = await odd.run(['run', 'x', ...script])
  assert.equal(ended.code, 2)
  assert.match(ended.stderr, /^tao: The state directory .* cannot be used: .*\n.*TAO_HOME=DIR/m)
  await rm(odd.home)
})
