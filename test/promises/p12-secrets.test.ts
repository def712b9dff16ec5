import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileStore, openSqliteJournal, run } from '../../src/index.ts'
import { calling, saying } from '../support/bench.ts'
import { startChatServer } from '../support/chat-server.ts'
import { givenTree } from '../support/given-tree.ts'

const KEY = 'sk-canary-7f3a9c51d2'

/** Every byte below a folder. */
async function allBytes(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n')
}

test('a key reaches the service in one header and nothing else: no sandbox, no observation, no journal', async () => {
  const look =
    'env; cat /proc/*/environ; cat /proc/*/cmdline; grep -rs canary / --include=* -l --exclude-dir=proc --exclude-dir=usr'
  const echo = { error: { status: 401, body: `{"error":{"message":"Wrong key ${KEY}"}}` } }
  await using server = await startChatServer([calling('bash', { command: look }), echo])
  await using given = await givenTree({ 'a.txt': 'a' })
  const home = join(given.workspace.record.source, '..', 'home')
  const kept = join(given.workspace.record.source, '..', 'kept')
  const journal = openSqliteJournal(join(kept, 'journal.sqlite'))
  const before = process.env.DEEPSEEK_API_KEY
  process.env.DEEPSEEK_API_KEY = KEY
  process.env.TAO_HOME = home
  try {
    const outcome = await run('Look round.', {
      model: 'deepseek/deepseek-chat',
      baseUrl: server.url,
      workspace: given.workspace.record.source,
      tools: ['bash'],
      journal,
      store: fileStore(join(kept, 'objects')),
    })
    await journal.close()
    assert.equal(outcome.status, 'failed')
    assert.doesNotMatch(JSON.stringify(outcome), /canary-7f3a/)
  } finally {
    delete process.env.TAO_HOME
    if (before === undefined) delete process.env.DEEPSEEK_API_KEY
    else process.env.DEEPSEEK_API_KEY = before
  }
  assert.equal(server.requests[0]?.headers.authorization, `Bearer ${KEY}`)
  for (const request of server.requests) assert.doesNotMatch(request.raw, /canary-7f3a/)
  assert.match(server.requests[1]?.raw ?? '', /PATH=/)
  assert.doesNotMatch((await allBytes(home)) + (await allBytes(kept)), /canary-7f3a/)
})

test('a run that is answered keeps no key either', async () => {
  await using server = await startChatServer([saying('done')])
  process.env.TAO_API_KEY = KEY
  const events: string[] = []
  try {
    const onEvent = (event: object) => events.push(JSON.stringify(event))
    const outcome = await run('Say it.', { model: 'openai-compatible/any', baseUrl: server.url, onEvent })
    assert.equal(outcome.status, 'answered')
  } finally {
    delete process.env.TAO_API_KEY
  }
  assert.equal(server.requests[0]?.headers.authorization, `Bearer ${KEY}`)
  assert.doesNotMatch(events.join('\n'), /canary/)
})
