import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseModel, type ModelWish } from './choose-model.ts'
import type { LocalServer } from './local-servers.ts'
import { type Environment, readSettings } from './settings.ts'

const OLLAMA: LocalServer = {
  server: 'Ollama',
  baseUrl: 'http://127.0.0.1:11434/v1',
  loaded: { provider: 'ollama', model: 'qwen3:8b', baseUrl: 'http://127.0.0.1:11434/v1' },
}
const folders = { flag: '/here', taskFile: '/there' }

const choose = (wish: Omit<ModelWish, 'folders'>, environment: Environment = {}, servers: LocalServer[] = [OLLAMA]) =>
  chooseModel({ ...wish, folders }, readSettings(environment), async () => servers)

test('what was said wins over what is written, a key over a local server', async () => {
  const everything = { flag: 'openai/gpt-5', taskFile: 'deepseek/deepseek-chat' }
  const keys = { DEEPSEEK_API_KEY: 'k', OPENAI_API_KEY: 'k' }
  assert.equal((await choose(everything, keys)).name, 'openai/gpt-5')
  assert.equal((await choose({ taskFile: 'openai/gpt-5' }, keys)).name, 'openai/gpt-5')
  assert.equal((await choose({}, keys)).name, 'deepseek/deepseek-chat')
  assert.deepEqual(await choose({}), {
    name: 'ollama/qwen3:8b',
    baseUrl: 'http://127.0.0.1:11434/v1',
    folder: '/here',
    why: 'Ollama runs on this machine with this model loaded',
  })
})

test('the script of a task stands in when no key is set, and says for what', async () => {
  assert.deepEqual(await choose({ script: 'fix.ts' }), {
    name: 'scripted/fix.ts',
    folder: '/there',
    why: 'no key is set, so the script of the task stands in',
  })
  const named = { taskFile: 'deepseek/deepseek-chat', script: 'fix.ts' }
  const standIn = await choose(named)
  assert.equal(standIn.name, 'scripted/fix.ts')
  assert.match(standIn.why, /DEEPSEEK_API_KEY is not set, .* stands in for deepseek\/deepseek-chat/)
  assert.equal((await choose(named, { DEEPSEEK_API_KEY: 'k' })).name, 'deepseek/deepseek-chat')
  assert.equal((await choose({ script: 'fix.ts' }, { OPENAI_API_KEY: 'k' })).name, 'openai/gpt-5')
  assert.equal((await choose({ ...named, flag: 'ollama/x' })).name, 'ollama/x')
})

test('without any model the message lists every way to have one', async () => {
  const idle = { server: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' }
  await assert.rejects(choose({}, {}, [idle]), {
    name: 'TaoError',
    message: /Ollama at http:\/\/127\.0\.0\.1:11434\/v1 runs without a loaded model/,
    fix: /--model[\s\S]*DEEPSEEK_API_KEY[\s\S]*Ollama[\s\S]*--base-url[\s\S]*scripted/,
  })
})

test('an address without a model is not passed over for a local server', async () => {
  await assert.rejects(choose({ baseUrl: 'http://10.0.0.1/v1' }), { code: 'no-model', fix: /openai-compatible\/MODEL/ })
  await assert.rejects(choose({}, { TAO_BASE_URL: 'http://10.0.0.1/v1' }), { code: 'no-model' })
})
