import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { TaoError } from '../core/error.ts'
import { loadTaskFile, parseTaskFile } from './task-file.ts'

const problemIn = (text: string): string => {
  try {
    parseTaskFile(text, 'x.yaml')
  } catch (error) {
    assert.ok(error instanceof TaoError, String(error))
    return error.message
  }
  return 'none'
}

test('a task file is read with its types', () => {
  const task = parseTaskFile(
    'task: Fix it.\nworkspace: { path: ., protect: [tests] }\nlimits: { wallTime: 90s }\n',
    'x',
  )
  assert.deepEqual(task, {
    task: 'Fix it.',
    workspace: { path: '.', protect: ['tests'] },
    limits: { wallTime: 90_000 },
  })
})

test('broken YAML is told with line and column', () => {
  assert.match(problemIn('task: x\n  y: [1\n'), /^x\.yaml:1:7: This is not YAML: /)
  assert.match(problemIn('task: x\ntask: y\n'), /^x\.yaml:2:1: This is not YAML: Map keys must be unique/)
  assert.match(problemIn('task: [a\n'), /^x\.yaml:\d+:\d+: This is not YAML/)
  assert.match(problemIn('task: !!js/function x'), /^x\.yaml:1:7: This is not YAML: Unresolved tag/)
})

test('an unknown key is told where it stands, with the name that was meant', () => {
  assert.equal(problemIn('task: x\nlimts: {}'), 'x.yaml:2:1: Unknown key "limts". Did you mean "limits"?')
  assert.equal(
    problemIn('task: x\nlimits:\n  modelcalls: 3\n'),
    'x.yaml:3:3: Unknown key "modelcalls" in "limits". Did you mean "modelCalls" or "toolCalls"?',
  )
  assert.match(
    problemIn('task: x\nworkspace: { pth: . }'),
    /2:14: Unknown key "pth" in "workspace"\. Did you mean "path"\?/,
  )
  assert.match(problemIn('task: x\n__proto__: 1'), /2:1: Unknown key "__proto__"/)
})

test('a tool that does not exist is told with the one that was meant', () => {
  assert.equal(problemIn('task: x\ntools: [bsh]'), 'x.yaml:2:9: There is no tool "bsh". Did you mean "bash"?')
})

test('a limit that cannot be is told in a sentence that says what can', () => {
  for (const written of ['0', '-1', '1.5', '.nan', '.inf', 'many', '""', '[]'])
    assert.match(
      problemIn(`task: x\nlimits: { modelCalls: ${written} }`),
      /^x\.yaml:2:23: "limits\.modelCalls" must be a whole number above 0, but .+ stands there\.$/,
    )
  for (const written of ['0', '-1', '10 minutes', '0s', '5y', '""'])
    assert.match(
      problemIn(`task: x\nlimits: { wallTime: ${written} }`),
      /must be a length of time above 0, such as 90s, 10m or 1h/,
    )
})

test('a criterion that is wrong is told by its own kind', () => {
  assert.match(
    problemIn('task: x\ndone:\n  - comand: y'),
    /3:5: Unknown kind of criterion "comand"\. Did you mean "command"\?/,
  )
  assert.match(problemIn('task: x\ndone:\n  - { command: y, outptu: z }'), /3:19: Unknown key "outptu" in "done\[0\]"/)
  assert.match(
    problemIn('task: x\ndone:\n  - unchanged: []'),
    /3:16: "done\[0\]\.unchanged" must be a list with at least one path/,
  )
  assert.match(problemIn('task: x\ndone: [5]'), /2:8: "done\[0\]" must be a criterion: \{ command: … \}/)
})

test('all problems are told at once, in the order of the file', () => {
  const lines = problemIn('limits: { toolCalls: 0 }\ntols: []\nstream: maybe\n').split('\n')
  assert.deepEqual(
    lines.map((line) => line.slice(0, 12)),
    ['x.yaml:1:1: ', 'x.yaml:1:22:', 'x.yaml:2:1: ', 'x.yaml:3:9: '],
  )
})

test('a file without a task is told what a task looks like', () => {
  for (const text of ['', '- a', '5', 'null'])
    assert.match(problemIn(text), /^x\.yaml:1:1: The task must be a table that begins with "task: …"/)
  assert.match(problemIn('model: a/b'), /"task" is missing: write a sentence that says what is to be done\./)
})

test('whatever the text, it is a task or a clear error', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.json(), fc.stringMatching(/^task: .*\n(limits|done|tools|workspace): .*$/)),
      (text) => {
        assert.doesNotMatch(problemIn(text), /undefined|\[object/)
      },
    ),
  )
})

test('a file that expands without end is refused', () => {
  const bomb = ['task: x', 'a: &a [1,1,1,1,1,1,1,1,1]']
  for (let i = 0; i < 9; i++) {
    const [name, before] = ['bcdefghij'[i], 'abcdefghi'[i]]
    bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`)
  }
  assert.match(problemIn(bomb.join('\n')), /alias/)
})

test('a file that is missing, a folder or no text is told as such', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tao-task-'))
  try {
    await writeFile(join(folder, 'latin.yaml'), Buffer.from([0x74, 0x3a, 0x20, 0xe4]))
    const problem = (name: string) =>
      loadTaskFile(join(folder, name), name).then(
        () => 'none',
        (error: Error) => error.message,
      )
    assert.equal(await problem('gone.yaml'), 'There is no task file gone.yaml.')
    assert.equal(await problem('.'), '. is not a file.')
    assert.equal(await problem('latin.yaml'), 'latin.yaml is not UTF-8 text.')
  } finally {
    await rm(folder, { recursive: true })
  }
})
