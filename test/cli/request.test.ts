import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { calling, saying } from '../support/bench.ts'
import { startChatServer } from '../support/chat-server.ts'
import { openTao } from '../support/tao-command.ts'

const TASK = `task: Change it.
workspace: { path: project }
tools: [read_file, edit]
maxOutputTokens: 800
`

for (const stream of [false, true])
  test(`a service is asked with everything it needs and the key in one header only, ${stream ? 'in a stream' : 'whole'}`, async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    await using server = await startChatServer([
      calling('read_file', { path: 'a.txt' }, 'call-1'),
      saying('It is one.'),
    ])
    await tao.write('x.task.yaml', TASK)
    const key = 'sk-do-not-tell-anybody'
    const flags = ['--base-url', server.url, ...(stream ? ['--stream'] : [])]
    const run = await tao.run(['run', 'x.task.yaml', ...flags], { DEEPSEEK_API_KEY: key })
    assert.equal(run.code, 0, run.stderr)
    assert.match(run.stderr, /^model: deepseek\/deepseek-chat \(DEEPSEEK_API_KEY is set\)\n/)

    const [first, second] = server.requests
    assert.ok(first !== undefined && second !== undefined)
    const { model, temperature, max_tokens, thinking, tool_choice, tools, messages } = first.body
    assert.deepEqual(
      { model, temperature, max_tokens, thinking, tool_choice, stream: first.body.stream },
      {
        model: 'deepseek-chat',
        temperature: 0,
        max_tokens: 800,
        thinking: { type: 'disabled' },
        tool_choice: 'auto',
        stream,
      },
    )
    const described = tools as {
      function: { name: string; parameters: { additionalProperties: boolean; required: string[] } }
    }[]
    assert.deepEqual(
      described.map(({ function: { name, parameters } }) => [
        name,
        parameters.additionalProperties,
        parameters.required[0],
      ]),
      [
        ['read_file', false, 'path'],
        ['edit', false, 'path'],
      ],
    )
    assert.deepEqual(
      (messages as { role: string }[]).map(({ role }) => role),
      ['system', 'user'],
    )
    assert.ok(second.raw.startsWith(first.raw.slice(0, first.raw.indexOf('],"tool_choice"'))))

    const { authorization, ...others } = first.headers
    assert.equal(authorization, `Bearer ${key}`)
    const files = (await readdir(tao.home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    const kept = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))
    for (const place of [first.raw, JSON.stringify(others), run.stdout, run.stderr, ...kept])
      assert.ok(!place.includes(key))
  })
