import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { run, scripted, type Tool } from '../../src/index.ts'
import { plainTool, saying } from '../support/bench.ts'

const model = () => scripted([saying('done')])
const look = plainTool('look', 'read', () => 'seen')

const refused: Record<string, [Parameters<typeof run>[1], RegExp]> = {
  'a tool that is not there': [{ model: model(), tools: ['bahs'] }, /bahs.*bash/s],
  'two tools of one name': [{ model: model(), tools: [look, look] as Tool[] }, /look/],
  'a limit of zero': [{ model: model(), limits: { modelCalls: 0 } }, /modelCalls/],
  'a cost limit for a model whose price is not known': [{ model: model(), limits: { cost: 1 } }, /price of scripted/],
  'a provider that is not there': [{ model: 'deepsek/deepseek-chat' }, /deepsek.*deepseek/s],
  'a folder that is not there': [{ model: model(), workspace: '/nowhere/at/all' }, /nowhere/],
  'a file tool without a folder': [{ model: model(), tools: ['bash'] }, /workspace/],
}

for (const [name, [options, message]] of Object.entries(refused)) {
  test(`${name} is refused before anything is asked, with what to do`, async () => {
    await assert.rejects(run('Do it.', options), (error: Error & { fix?: string }) => {
      assert.equal(error.name, 'TaoError')
      assert.match(`${error.message} ${error.fix ?? ''}`, message)
      return true
    })
  })
}

test('a cost limit that cannot hold is refused before the folder is copied', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tao-price-'))
  process.env.TAO_HOME = join(folder, 'home')
  try {
    await assert.rejects(
      run('Do it.', { model: model(), workspace: import.meta.dirname, limits: { cost: 1 } }),
      /price/,
    )
    assert.equal(existsSync(join(folder, 'home', 'work')), false)
  } finally {
    delete process.env.TAO_HOME
    await rm(folder, { recursive: true })
  }
})
