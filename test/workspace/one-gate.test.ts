import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { run, scripted } from '../../src/index.ts'
import { calling, callOf, saying } from '../support/bench.ts'
import { givenTree } from '../support/given-tree.ts'

/** What no command may do, each with a word for it that is printed when it worked. */
const escapes = (outside: string): string =>
  [
    'echo bad >>kept.txt && echo worked: protected',
    `echo bad >${outside} && echo worked: outside`,
    'ls -A /root /var | grep -q . && echo worked: host',
    'head -c 1 /dev/tcp/127.0.0.1/1 && echo worked: network',
    'echo tried',
  ].join('; ')

// https://github.com/amd/gaia/issues/2947
// https://github.com/diillson/chatcli/pull/1531
test('whatever starts a program is held by the same sandbox: a command, code, and a check', async () => {
  await using given = await givenTree({ 'kept.txt': 'as it was' })
  const outside = join(given.workspace.record.source, '../planted')
  const command = escapes(outside)
  const code = `import subprocess\nprint(subprocess.run(["bash", "-c", ${JSON.stringify(command)}], capture_output=True, text=True).stdout)`
  const model = scripted([calling('bash', { command }), calling('python', { code }), saying('done')])
  const told: string[] = []
  await run('Look.', {
    ...{ model, tools: ['bash', 'python'] },
    workspace: { path: given.workspace.record.source, protect: ['kept.txt'] },
    done: [{ command: `${command}; false` }],
    limits: { rejectedClaims: 1 },
    onEvent: (event) => {
      if (event.kind === 'call.finished') told.push(event.observation)
      if (event.kind === 'check.finished') told.push(event.detail)
    },
  })
  assert.equal(told.length, 3)
  for (const text of told) {
    assert.match(text, /tried/)
    assert.doesNotMatch(text, /worked/)
  }
  assert.equal(existsSync(outside), false)
})

// https://github.com/netease-lcap/wave-agent/issues/1256
// https://github.com/vybestack/llxprt-code/issues/3239
// https://github.com/letta-ai/letta-code/pull/377
// https://github.com/fabro-sh/fabro/pull/787
test('six edits of one file in one reply all stand in it, and what follows them is untouched', async () => {
  const lines = Array.from({ length: 6 }, (_, n) => `line ${n} is old`)
  await using given = await givenTree({ 'a.txt': `${lines.join('\n')}\nthe end` })
  const calls = lines.map((line) =>
    callOf('edit', { path: 'a.txt', old_text: line, new_text: line.replace('old', 'new') }),
  )
  const outcome = await run('Renew it.', {
    model: scripted([{ calls }, saying('done')]),
    tools: ['edit'],
    workspace: given.workspace.record.source,
    done: [
      { command: 'test "$(grep -c new a.txt)" = 6 && ! grep -q old a.txt && test "$(tail -n 1 a.txt)" = "the end"' },
    ],
  })
  assert.equal(outcome.status, 'success', outcome.reason)
})
