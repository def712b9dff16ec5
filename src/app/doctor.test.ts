import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { examine, examineNode } from './doctor.ts'
import { readSettings } from './settings.ts'

test('a Node that is too old is told with the version that is needed', () => {
  assert.deepEqual(
    ['22.18.0', '22.20.1', '24.0.0'].map((version) => examineNode(version).ok),
    [true, true, true],
  )
  const { ok, detail, fix } = examineNode('22.17.9')
  assert.deepEqual([ok, detail], [false, 'version 22.17.9, but 22.18 or newer is needed'])
  assert.match(fix ?? '', /Install Node 22\.18/)
  assert.equal(examineNode('20.99.0').ok, false)
})

test('whatever is missing is a finding with its fix, never an exception', async () => {
  const settings = readSettings({ TAO_HOME: '/proc/nowhere', TAO_BWRAP: '/nowhere/bwrap' })
  const findings = await examine(settings, async () => [])
  assert.deepEqual(
    findings.map(({ what, ok }) => [what, ok]),
    [
      ['node', true],
      ['sandbox', false],
      ['model', false],
      ['state', false],
    ],
  )
  for (const { ok, fix } of findings) assert.equal(fix === undefined, ok)
})

test('keys are named and never shown, and a server counts when it has a model loaded', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tao-doctor-'))
  const ollama = { server: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' }
  const model = async (environment: Record<string, string>, loaded: boolean) => {
    const settings = readSettings({ TAO_HOME: join(home, 'state'), TAO_BWRAP: '/nowhere/bwrap', ...environment })
    const server = loaded
      ? { ...ollama, loaded: { provider: 'ollama', model: 'qwen', baseUrl: ollama.baseUrl } as const }
      : ollama
    const findings = await examine(settings, async () => [server])
    assert.doesNotMatch(JSON.stringify(findings), /sk-secret/)
    return findings.find(({ what }) => what === 'model')
  }
  try {
    assert.equal((await model({ DEEPSEEK_API_KEY: 'sk-secret' }, false))?.ok, true)
    assert.equal((await model({}, true))?.detail, 'Ollama at http://127.0.0.1:11434/v1 has qwen')
    assert.equal((await model({}, false))?.ok, false)
  } finally {
    await rm(home, { recursive: true })
  }
})
