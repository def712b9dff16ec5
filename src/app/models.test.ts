import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isScripted, openModel } from './models.ts'
import { readSettings } from './settings.ts'

const open = (name: string, environment: Record<string, string> = {}, baseUrl?: string) =>
  openModel({ name, folder: '/nowhere', ...(baseUrl === undefined ? {} : { baseUrl }) }, readSettings(environment))

test('every provider with what it needs gives a model of that name', async () => {
  const names = ['deepseek/deepseek-chat', 'openai/gpt-5', 'ollama/qwen3:8b', 'lmstudio/x/y', 'openrouter/a/b']
  const keys = { DEEPSEEK_API_KEY: 'k', OPENAI_API_KEY: 'k', OPENROUTER_API_KEY: 'k' }
  for (const name of names) assert.equal((await open(name, keys)).name, name)
  assert.equal((await open('openai-compatible/x', {}, 'http://127.0.0.1:8000/v1')).name, 'openai-compatible/x')
})

test('a provider that does not exist is told with the one that was meant', async () => {
  await assert.rejects(open('depseek/deepseek-chat'), { name: 'TaoError', message: /Did you mean "deepseek"\?/ })
  await assert.rejects(open('constructor/x'), { name: 'TaoError', message: /is not a provider/ })
})

test('a name without a provider or without a model is told how a name looks', async () => {
  for (const name of ['deepseek-chat', 'deepseek/', '', '/', 'deepseek/ '])
    await assert.rejects(open(name), { name: 'TaoError', code: 'model' }, name)
})

test('a key or an address that is missing is named', async () => {
  await assert.rejects(open('deepseek/deepseek-chat'), { code: 'no-key', fix: /export DEEPSEEK_API_KEY=/ })
  await assert.rejects(open('openai-compatible/x'), { code: 'base-url', fix: /--base-url/ })
})

test('a server of one’s own in place of a service needs no key', async () => {
  assert.equal((await open('deepseek/x', { TAO_BASE_URL: 'http://127.0.0.1:9/v1' })).name, 'deepseek/x')
})

test('a script that is missing is told by its path, and no other model counts as scripted', async () => {
  await assert.rejects(open('scripted/gone.json'), { code: 'script', message: /\/nowhere\/gone\.json/ })
  assert.deepEqual(['scripted/x.json', 'openai/scripted'].map(isScripted), [true, false])
})
