import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calling, saying } from '../support/bench.ts'
import { openTao } from '../support/tao-command.ts'

const dig = `python3 -c "import os
for _ in range(3000): os.mkdir('deep'); os.chdir('deep')"`

// https://github.com/nodejs/node/issues/63970: a deep folder ends the process that copies it.
test('a folder nested 3,000 deep is told to the model, which can mend it, and harms nobody', async () => {
  await using tao = await openTao({ 'a.txt': 'one\n' })
  const model = await tao.script([
    calling('bash', { command: dig }),
    saying('Done.'),
    calling('bash', { command: 'rm -rf deep; echo two > a.txt' }),
    saying('Done now.'),
  ])
  const ended = await tao.run(['run', 'Dig.', '-w', 'project', '--done', 'grep two a.txt', ...model])
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(ended.stderr, /the working copy[\s\S]*nested too deeply/)
  assert.match(ended.stdout, /^success: /m)
})

test('a folder nested 3,000 deep that stays keeps a run from success, and the run still ends', async () => {
  await using tao = await openTao({ 'a.txt': 'one\n' })
  const model = await tao.script([calling('bash', { command: dig }), ...Array(4).fill(saying('Done.'))])
  const ended = await tao.run(['run', 'Dig.', '-w', 'project', '--done', 'true', ...model])
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  assert.match(ended.stdout, /^failed: /m)
  assert.match(ended.stdout, /nested too deeply/)
  assert.match((await tao.run(['clean', '--all'])).stdout, /freed|removed/i)
})
