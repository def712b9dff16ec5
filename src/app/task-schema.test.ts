import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { DEFAULT_LIMITS } from '../core/limits.ts'
import { DEFAULT_SANDBOX_LIMITS } from '../sandbox/sandbox.ts'
import { limitsShape, sandboxShape, taskJsonSchema, taskSchema } from './task-schema.ts'

test('the published schema of task files is the one that checks them', async () => {
  const published = await readFile(new URL('../../schema/task.schema.json', import.meta.url), 'utf8')
  const now = `${JSON.stringify(taskJsonSchema(), null, 2)}\n`
  assert.equal(published, now, 'Write it anew with: npm run build')
})

test('every limit can be set, and its default is a value that the schema takes', () => {
  const { limits } = taskSchema.parse({ task: 'x', limits: DEFAULT_LIMITS })
  assert.deepEqual(limits, DEFAULT_LIMITS)
  assert.deepEqual(Object.keys(limitsShape).sort(), [...Object.keys(DEFAULT_LIMITS), 'cost'].sort())
})

test('every limit of the sandbox can be set, and its default is a value that the schema takes', () => {
  const { keep: _, cpuTime, ...rest } = DEFAULT_SANDBOX_LIMITS
  const { sandbox } = taskSchema.parse({ task: 'x', sandbox: { ...rest, cpuTime: `${cpuTime}s` } })
  assert.deepEqual(sandbox, { ...rest, cpuTime })
  for (const limit of Object.keys({ ...rest, cpuTime })) assert.ok(Object.hasOwn(sandboxShape, limit), limit)
})

test('limits of the sandbox are sizes, lengths of time and counts', () => {
  const { sandbox } = taskSchema.parse({
    task: 'x',
    sandbox: { memory: '2GB', disk: '500 MB', wallTime: '2m', cpuTime: '1500ms', processes: 64, fileSize: 4096 },
  })
  assert.deepEqual(sandbox, {
    ...{ memory: 2 ** 31, disk: 500 * 2 ** 20, wallTime: 120_000, cpuTime: 2, processes: 64, fileSize: 4096 },
  })
  for (const wrong of [{ memory: '2' }, { memory: '0MB' }, { disk: '2 gigs' }, { processes: '64' }, { keep: 4096 }])
    assert.equal(taskSchema.safeParse({ task: 'x', sandbox: wrong }).success, false, JSON.stringify(wrong))
})

test('everything a task file may say is said with its type', () => {
  const task = {
    task: 'Fix it.',
    workspace: { path: '.', protect: ['tests'], ignore: ['build'] },
    model: 'deepseek/deepseek-chat',
    script: 'fix.json',
    protocol: 'native',
    tools: ['read_file', 'bash'],
    limits: { wallTime: '10m', cost: 0.5 },
    done: [
      { command: 'npm test', matches: 'ok', timeLimit: '90s' },
      { unchanged: ['tests'] },
      { file: 'out.txt', matches: '/^done$/' },
      { file: 'core', exists: false },
    ],
    instructions: 'Be brief.',
    temperature: 0.5,
    maxOutputTokens: 800,
    stream: true,
    thinking: false,
  }
  const read = taskSchema.parse(task)
  assert.deepEqual(read.limits, { wallTime: 600_000, cost: 0.5 })
  assert.deepEqual(read.done?.[0], { command: 'npm test', matches: 'ok', timeLimit: 90_000 })
  assert.deepEqual({ ...read, limits: task.limits, done: task.done }, task)
})
