import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { readSettings } from './settings.ts'

const someone = { uid: 1000, homeFolder: '/home/ann' }
const root = { uid: 0, homeFolder: '/root' }

test('runs are kept where the person says, else where the system keeps state', () => {
  assert.equal(readSettings({ TAO_HOME: '/data/tao', XDG_STATE_HOME: '/state' }, someone).home, '/data/tao')
  assert.equal(readSettings({ XDG_STATE_HOME: '/state' }, someone).home, '/state/tao')
  assert.equal(readSettings({ XDG_STATE_HOME: 'relative' }, someone).home, '/home/ann/.local/state/tao')
  assert.equal(readSettings({ TAO_HOME: ' ' }, someone).home, '/home/ann/.local/state/tao')
})

test('for root runs are kept where the user of the sandbox can reach a working copy', () => {
  assert.equal(readSettings({}, root).home, '/var/lib/tao')
})

test('an empty variable is as good as none', () => {
  const settings = readSettings({ DEEPSEEK_API_KEY: '', TAO_BASE_URL: ' ', TAO_DEBUG: '0' }, someone)
  assert.deepEqual(
    [settings.keyFor('DEEPSEEK_API_KEY'), settings.baseUrl, settings.debug],
    [undefined, undefined, false],
  )
})

test('printing the settings never prints a key', () => {
  const settings = readSettings({ DEEPSEEK_API_KEY: 'sk-secret' }, someone)
  assert.equal(settings.keyFor('DEEPSEEK_API_KEY'), 'sk-secret')
  assert.doesNotMatch(inspect(settings, { depth: 9, showHidden: true }) + JSON.stringify(settings), /sk-secret/)
})
