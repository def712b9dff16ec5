import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readLimits } from './task-limits.ts'
import { readTaskRequest } from './task-request.ts'

const folder = await mkdtemp(join(tmpdir(), 'tao-request-'))
after(() => rm(folder, { recursive: true }))
await mkdir(join(folder, 'sub'))
await writeFile(
  join(folder, 'sub/fix.task.yaml'),
  'task: Fix it.\nworkspace: { path: src, protect: [tests] }\nmodel: openai/gpt-5\ntools: [bash]\nlimits: { modelCalls: 8, toolCalls: 16 }\n',
)

test('paths in a task file are relative to it, paths of flags to where the person is', async () => {
  const fromFile = await readTaskRequest('sub/fix.task.yaml', { folder })
  assert.deepEqual(fromFile.workspace, { path: join(folder, 'sub/src'), protect: ['tests'] })
  assert.deepEqual(fromFile.wish, {
    taskFile: 'openai/gpt-5',
    folders: { flag: folder, taskFile: join(folder, 'sub') },
  })
  const fromFlag = await readTaskRequest('sub/fix.task.yaml', { folder, workspace: 'other' })
  assert.equal(fromFlag.workspace?.path, join(folder, 'other'))
})

test('what is said for a run wins over the file; what must be protected and proved adds up', async () => {
  const request = await readTaskRequest('sub/fix.task.yaml', {
    folder,
    model: 'deepseek/x',
    tools: [],
    limits: { modelCalls: 3 },
    protect: ['docs', 'tests'],
    done: [{ command: 'npm test' }],
  })
  assert.deepEqual(request.limits, { modelCalls: 3, toolCalls: 16 })
  assert.deepEqual(request.workspace?.protect, ['tests', 'docs'])
  assert.deepEqual([request.tools, request.done, request.wish.flag], [[], [{ command: 'npm test' }], 'deepseek/x'])
})

test('a sentence is a task, even when it ends like a file', async () => {
  const request = await readTaskRequest(' Correct the ports in app.yaml ', { folder })
  assert.deepEqual(
    [request.task, request.workspace, request.tools],
    ['Correct the ports in app.yaml', undefined, undefined],
  )
})

test('the name of a task file that is not there is no task', async () => {
  await assert.rejects(readTaskRequest('fix.yaml', { folder }), {
    code: 'task-file',
    message: 'There is no task file fix.yaml.',
  })
  await assert.rejects(readTaskRequest('my fix.task.yaml', { folder }), { code: 'task-file' })
  await assert.rejects(readTaskRequest('  ', { folder }), { code: 'usage' })
})

test('something to protect needs a workspace', async () => {
  await assert.rejects(readTaskRequest('Do it.', { folder, protect: ['x'] }), { code: 'usage', fix: /--workspace/ })
})

test('a typed limit is read, and a wrong one is called what the person called it', () => {
  assert.deepEqual(readLimits({ modelCalls: '8', wallTime: '10m', cost: '0.5' }), {
    modelCalls: 8,
    wallTime: 600_000,
    cost: 0.5,
  })
  for (const wrong of [
    { modelCalls: '0' },
    { modelCalls: '1e9' },
    { modelCalls: '' },
    { wallTime: '10' },
    { cost: '-1' },
  ])
    assert.throws(() => readLimits(wrong, (name) => `--${name}`), {
      code: 'limit',
      message: /^--\w+ must be .* above 0/,
    })
  assert.throws(() => readLimits({ toolcalls: 3 } as object), {
    message: /no limit "toolcalls"\. Did you mean "toolCalls"/,
  })
})
