import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileStore, openSqliteJournal, run, scripted } from '../../src/index.ts'
import { calling, plainTool, saying } from '../support/bench.ts'
import { startChatServer } from '../support/chat-server.ts'
import { givenTree } from '../support/given-tree.ts'
import { encodingsIn, writtenForms } from '../support/secret-scan.ts'
import { openTao } from '../support/tao-command.ts'

const KEY = 'sk-canary-7f3a9c51d2'

/** Every byte below a folder, but for copies of the user's own files. */
async function allBytes(folder: string, copies = /never/): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = paths.filter((path) => !copies.test(path))
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

/** With every character that some encoding writes differently. */
const ODD_KEY = 'sk-"canary+7f3a/9c51\\d2'

function expectNone(places: Readonly<Record<string, string>>): void {
  for (const [place, text] of Object.entries(places)) {
    assert.notEqual(text, '', `${place} is empty`)
    assert.deepEqual(encodingsIn(text, ODD_KEY), [], place)
  }
}

test('what looks for a key in these tests finds it in every form', () => {
  const found = writtenForms(ODD_KEY).map((form) => encodingsIn(`x ${JSON.stringify(`= ${form}`)} y`, ODD_KEY))
  assert.deepEqual(
    found.map((names) => names.length > 0).filter((isFound) => !isFound),
    [],
  )
  assert.deepEqual(new Set(found.flat()), new Set(['JSON', 'UTF-16', 'base64', 'hex', 'percent']))
  assert.ok(encodingsIn(ODD_KEY, ODD_KEY).includes('raw'))
})

test('a key in a task, a file, a result, a large result, a reply, a stream and an error is in no sink of the command', async () => {
  const forms = writtenForms(ODD_KEY).join('\n')
  const body = JSON.stringify({ error: { message: `Wrong keys: ${forms}` } })
  await using server = await startChatServer((request, n) => {
    const replies = [
      { ...calling('bash', { command: 'cat .env forms.txt' }), reasoning: `I know ${ODD_KEY} and ${forms}` },
      calling('bash', {
        command: `cat forms.txt; for i in $(seq 4000); do echo "line $i"; done; cat .env; echo '${ODD_KEY}'`,
      }),
      calling('bash', { command: 'echo new >>forms.txt; sed -i "1i first" .env' }),
      calling('no_such_tool', { key: ODD_KEY }),
      saying(`The key is ${ODD_KEY}, or ${forms}. Done.`),
      { error: { status: 401, body } },
    ]
    assert.ok(request.headers.authorization === `Bearer ${ODD_KEY}`)
    return replies[n % replies.length]
  })
  await using tao = await openTao({ '.env': `TOKEN=${ODD_KEY}\n`, 'forms.txt': `${forms}\n` })
  await tao.write(
    'look.task.yaml',
    JSON.stringify({
      task: `Look round with ${ODD_KEY}.`,
      workspace: { path: 'project' },
      model: 'openai-compatible/any',
      stream: true,
      tools: ['bash'],
      instructions: `Never say ${ODD_KEY}.`,
      done: [{ command: 'cat .env forms.txt; false' }],
    }),
  )
  const env = { TAO_API_KEY: ODD_KEY, TAO_BASE_URL: server.url }
  const seen = await tao.run(['run', 'look.task.yaml'], env)
  assert.equal(seen.code, 1)
  const wrong = await tao.run(['run', `look-${encodeURIComponent(ODD_KEY)}.task.yaml`], env)
  assert.equal(wrong.code, 2)
  const shown = await tao.run(['show', 'latest', '--json'], env)
  const diff = await tao.run(['diff', 'latest'], env)
  assert.match(diff.stdout, /TOKEN=\[secret:TAO_API_KEY\]/)
  await tao.run(['runs', 'export', 'latest', 'run.jsonl'], env)
  expectNone({
    'standard output': seen.stdout,
    'standard error': seen.stderr + wrong.stderr,
    'a shown run': shown.stdout,
    'a diff': diff.stdout,
    'an exported file': await readFile(join(tao.folder, 'run.jsonl'), 'latin1'),
    'the state directory': await allBytes(tao.home, /\/work\/[^/]+\/(?:copy\/|base\.texts$)/),
    requests: server.requests
      .map(({ raw, path, headers: { authorization: _, ...rest } }) => `${path} ${JSON.stringify(rest)} ${raw}`)
      .join('\n'),
  })
  assert.equal(server.requests.length, 6)
})

// https://github.com/sipyourdrink-ltd/bernstein/issues/3700
test('a key in what a tool throws, in its description and in pieces of a stream is in no sink of a program', async () => {
  await using given = await givenTree({ 'a.txt': 'a' })
  const kept = join(given.workspace.record.source, '..', 'kept')
  const forms = writtenForms(ODD_KEY)
  const events: string[] = []
  const deltas = new Map<string, string>()
  const thrower = plainTool('look', 'read', (input) => {
    assert.doesNotMatch(JSON.stringify(input), /canary/)
    throw new Error(`${forms.join(' ')} ${'x'.repeat(50_000)} ${ODD_KEY}`, { cause: ODD_KEY })
  })
  const look = { ...thrower, definition: { ...thrower.definition, description: `Looks with ${ODD_KEY}.` } }
  const replies = [
    { ...calling('look', { key: ODD_KEY }), text: `Mine: ${ODD_KEY}`, reasoning: forms.join(', ') },
    saying(`It is ${forms.join(' or ')}.`),
  ]
  const model = scripted(replies)
  const journal = openSqliteJournal(join(kept, 'journal.sqlite'))
  const ended = run(`Say ${ODD_KEY}.`, {
    ...{ model, journal, tools: [look], store: fileStore(join(kept, 'objects')), secrets: [ODD_KEY], stream: true },
    attached: [{ kind: 'attached', text: forms.join('\n') }],
    onEvent: (event) => void events.push(JSON.stringify(event)),
    onDelta: ({ kind, text }) => void deltas.set(kind, (deltas.get(kind) ?? '') + text),
  })
  await ended.catch(() => undefined)
  const atEnd = await allBytes(kept) // with the write-ahead log, which closing folds in
  await journal.close()
  const outcome = await ended
  assert.equal(outcome.status, 'answered')
  expectNone({
    outcome: JSON.stringify(outcome),
    events: events.join('\n'),
    files: atEnd + (await allBytes(kept)),
    ...Object.fromEntries(deltas),
    requests: model.requests.map(({ bytes }) => Buffer.from(bytes).toString('latin1')).join('\n'),
  })
  assert.deepEqual([...deltas.keys()].sort(), ['call', 'reasoning', 'text'])
  assert.match(outcome.answer ?? '', /^It is \[secret:1\] or /)
})

test('every request of a run with secrets extends the one before, and the journal folds to what was sent', async () => {
  await using server = await startChatServer([
    calling('note', { a: ODD_KEY }),
    calling('note', { b: 'x' }),
    saying(`Done: ${ODD_KEY}`),
  ])
  const note = plainTool('note', 'read', (input) => `${JSON.stringify(input)} ${ODD_KEY}`)
  const prefixes: number[] = []
  await run('Note it.', {
    ...{ model: 'openai-compatible/any', baseUrl: server.url, tools: [note], secrets: [ODD_KEY] },
    onEvent: (event) => {
      if (event.kind === 'request.sent') prefixes.push(event.prefixBytes)
    },
  })
  const sent = server.requests.map(({ raw }) => Buffer.from(raw))
  assert.equal(sent.length, 3)
  for (const [at, bytes] of sent.entries())
    assert.deepEqual(bytes.subarray(0, prefixes[at]), sent[at - 1]?.subarray(0, prefixes[at]) ?? Buffer.alloc(0))
  assert.ok(prefixes.slice(1).every((prefix) => prefix > 100))
})

test('variables that a task names as secrets are masked by their names', async () => {
  await using tao = await openTao({})
  await tao.write('x.task.yaml', JSON.stringify({ task: 'Do it.', secrets: ['DEPLOY_TOKEN'] }))
  const script = await tao.script([saying(`I saw ${ODD_KEY}`)])
  const ended = await tao.run(['run', 'x.task.yaml', ...script], { DEPLOY_TOKEN: ODD_KEY })
  assert.match(ended.stdout, /I saw \[secret:DEPLOY_TOKEN\]/)
  assert.match(ended.stdout, /^answered/)
})
