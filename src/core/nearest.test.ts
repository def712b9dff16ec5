import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, nearestNames } from './nearest.ts'

const tools = ['read_file', 'write_file', 'list_files', 'bash']

test('a wrong letter, a wrong case and a shortened name find their name', () => {
  assert.deepEqual(nearestNames('raed_file', tools), ['read_file'])
  assert.deepEqual(nearestNames('BASH', tools), ['bash'])
  assert.deepEqual(nearestNames('read', tools), ['read_file'])
})

// https://github.com/tontinton/maki/issues/505
test('a name behind a prefix that the model made up finds its name', () => {
  for (const written of ['functions.bash', 'tool:bash', 'mcp__shell__bash'])
    assert.deepEqual(nearestNames(written, tools), ['bash'])
  assert.deepEqual(nearestNames('rebash_everything', tools), [])
})

test('a name that is like none finds none, and the sentence lists what there is', () => {
  assert.deepEqual(nearestNames('send_money', tools), [])
  assert.equal(didYouMean('send_money', tools), `Known: ${tools.join(', ')}.`)
  assert.equal(didYouMean('x', []), 'There are none.')
  assert.equal(didYouMean('bahs', tools), 'Did you mean "bash"?')
})

test('a name of any length costs little', () => {
  assert.deepEqual(nearestNames('x'.repeat(100_000), tools), [])
})
