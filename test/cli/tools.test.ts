import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { saying } from '../support/bench.ts'
import { eventsIn, openTao, type TaoCommand } from '../support/tao-command.ts'

const TASK = `task: Исправь это.
workspace: { path: project, protect: [b, a.txt] }
tools: [read_file, bash]
protocol: thought-action
network: [registry.example.com]
instructions: Be brief.
outOfScope: [Nothing else.]
done: [{ command: ls }, { unchanged: [a.txt] }]
`

let tao: TaoCommand
before(async () => {
  tao = await openTao({ 'a.txt': 'one\n', 'b/c.txt': 'two\n' })
  await mkdir(join(tao.project, '.git'))
  await tao.write('x.task.yaml', TASK)
})
after(() => tao[Symbol.asyncDispose]())

const systemOf = async (args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await tao.run(['tools', ...args, '--prompt', '--json'])
  assert.equal(code, 0, stderr)
  return (JSON.parse(stdout) as { readonly system: string }).system
}

describe('tao tools', { concurrency: 2 }, () => {
  test('--prompt prints the system message that a run of the task sends, to the letter', async () => {
    const script = await tao.script([saying('Окончательный ответ: Готово.')])
    const [started] = eventsIn(await tao.run(['run', 'x.task.yaml', ...script, '--json']))
    assert.ok(started?.kind === 'run.started')
    assert.match(started.system, /a\.txt, b.*\n\n[\s\S]*- command: ls\n/)
    assert.equal(await systemOf(['x.task.yaml']), started.system)
    const { stdout } = await tao.run(['tools', 'x.task.yaml', '--prompt'])
    assert.equal(stdout, `${started.system}\n`)
  })

  test('--prompt shows what another protocol and another language would make of it, also without a task', async () => {
    assert.match(
      await systemOf(['x.task.yaml', '--protocol', 'agent-calls', '--language', 'zh']),
      /"agent_calls"[\s\S]*工具/,
    )
    assert.match(await systemOf(['--protocol', 'tagged']), /^<tools>\n\{"name":"read_file"/m)
  })

  test("--prompt shows the user's own prompt, filled in; its path is relative to the task file", async () => {
    await tao.write('sub/mine.txt', 'Mine.\n\n{{form}}\n\n{{tools}}\n\n{{instructions}}')
    await tao.write(
      'sub/y.task.yaml',
      'task: x\nprotocol: tagged\nlanguage: ru\nprompt: mine.txt\ninstructions: Be brief.\n',
    )
    assert.match(await systemOf(['sub/y.task.yaml']), /^Mine\.\n\nРазмышляй внутри [\s\S]*\n\nBe brief\.$/)
  })

  test('lists tools with description, effects and parameters', async () => {
    const { stdout } = await tao.run(['tools', 'x.task.yaml'])
    assert.match(
      stdout,
      /^read_file \(read\)\n {2}Shows a text file .*\n {4}path {9}string\. Path of .*\n {4}from_line .*optional/,
    )
    assert.match(stdout, /^bash \(write, egress\)\n.*Network: only registry\.example\.com/m)
    const lines = (await tao.run(['tools', '--json'])).stdout.trimEnd().split('\n')
    const tools = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.deepEqual(Object.keys(tools[0] ?? {}), ['name', 'description', 'parameters', 'effects'])
    assert.ok(tools.some(({ name }) => name === 'edit'))
  })

  test('a prompt that cannot be used is told before anything is made', async () => {
    const refused = async (prompt: string, text: string, sentence: RegExp) => {
      await tao.write(`${prompt}.txt`, text)
      await tao.write(`${prompt}.task.yaml`, `task: x\nprotocol: agent-calls\nprompt: ${prompt}.txt\n`)
      const { code, stdout, stderr } = await tao.run(['tools', `${prompt}.task.yaml`, '--prompt'])
      assert.match(stderr, sentence)
      assert.deepEqual([code, stdout], [2, ''])
    }
    await refused('unknown', '{{tols}}', /^tao: \{\{tols\}\} is not a placeholder .*"tools"\?\n/)
    await refused(
      'without',
      'Hello.',
      /^tao: The prompt does not say where the tools are to stand\.\nWrite \{\{tools\}\}/,
    )
    await tao.write('gone.task.yaml', 'task: x\nprompt: gone.txt\n')
    const { code, stderr } = await tao.run(['tools', 'gone.task.yaml'])
    assert.match(stderr, /^tao: The prompt gone\.txt cannot be read: .*\n.*relative to the task file/)
    assert.equal(code, 2)
    assert.match((await tao.run(['tools', 'x', '--language', 'fr'])).stderr, /^tao: Unknown language "fr"\./)
  })
})
