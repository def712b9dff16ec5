import assert from 'node:assert/strict'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { calling, saying } from '../support/bench.ts'
import { eventsIn, openTao, STEERS_TERMINAL } from '../support/tao-command.ts'

const EDIT = calling('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' })
const READ = calling('read_file', { path: 'a.txt' })
const PROOF = ['--done', 'grep -q two a.txt']
const ON_PROJECT = ['run', 'Change it.', '--workspace', 'project']

describe('tao run', { concurrency: 2 }, () => {
  test('a proved result ends with 0, says how to see and apply it, and leaves the folder alone until then', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const model = await tao.script([READ, EDIT, saying('Changed.')])
    const run = await tao.run([...ON_PROJECT, ...PROOF, ...model])
    assert.deepEqual([run.code, run.signal], [0, null], run.stderr)
    assert.match(
      run.stdout,
      /^success: [\s\S]*Changed\.[\s\S]*✓ command: grep -q two a\.txt: exit 0[\s\S]*changed in the working copy:\n {2}a\.txt\n/,
    )
    assert.match(run.stderr, /^No real model: the replies come from a script, scripted\/script\.json\.\n/)
    assert.match(run.stderr, /step 1\n {2}→ read_file .*\n {2}← ok /)
    assert.doesNotMatch(run.stdout + run.stderr, STEERS_TERMINAL)
    assert.doesNotMatch(run.stdout + run.stderr, /Warning|^ {4}at /m)
    assert.equal(await readFile(join(tao.project, 'a.txt'), 'utf8'), 'one\n')

    const id = /tao -- diff (\S+)/.exec(run.stdout)?.[1] ?? ''
    const diff = await tao.run(['diff', id.slice(0, -2)])
    assert.match(diff.stdout, /^--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ -1 \+1 @@\n-one\n\+two$/m)
    const applied = await tao.run(['apply', id])
    assert.deepEqual([applied.code, applied.stdout.includes('a.txt')], [0, true], applied.stderr)
    assert.equal(await readFile(join(tao.project, 'a.txt'), 'utf8'), 'two\n')
  })

  test('--json prints the events of the journal as lines, the outcome last, and nothing else', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const model = await tao.script([READ, EDIT, saying('Changed.')])
    const run = await tao.run([...ON_PROJECT, ...PROOF, ...model, '--json', '--apply'])
    const events = eventsIn(run)
    assert.deepEqual(events, (await tao.journal())[0])
    const last = events.at(-1)
    assert.equal(last?.kind === 'run.ended' && last.outcome.status, 'success')
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, at) => at),
    )
    assert.equal(await readFile(join(tao.project, 'a.txt'), 'utf8'), 'two\n')
  })

  test('a task without criteria ends as answered with 0, and --quiet shows the end only', async () => {
    await using tao = await openTao()
    const model = await tao.script([saying('It is 4.')])
    const run = await tao.run(['run', 'What is 2 + 2?', ...model, '--quiet'])
    assert.equal(run.code, 0, run.stderr)
    assert.match(run.stdout, /^answered: [\s\S]*\n\nIt is 4\.\n/)
    assert.equal(run.stderr, 'No real model: the replies come from a script, scripted/script.json.\n')
  })

  test('a model that cannot be asked is a failure, 1', async () => {
    await using tao = await openTao()
    const model = await tao.script([{ error: { status: 400, body: { error: { message: 'no such model' } } } }])
    const run = await tao.run(['run', 'x', ...model])
    assert.equal(run.code, 1)
    assert.match(run.stdout, /^failed: [\s\S]*no such model/)
  })

  test('claims that do not hold are a failure, 1, and the changes are not applied', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const model = await tao.script([READ, EDIT, saying('Done.')])
    const run = await tao.run([...ON_PROJECT, '--done', 'false', ...model, '--apply', '--rejected-claims', '1'])
    assert.equal(run.code, 1, run.stderr)
    assert.match(run.stderr, /Not applied: the run ended as "failed"/)
    assert.match(run.stdout, /✗ command: false\n {6}exit 1/)
    assert.equal(await readFile(join(tao.project, 'a.txt'), 'utf8'), 'one\n')
  })

  test('a limit ends with 4 and is named', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const model = await tao.script([READ, READ])
    const run = await tao.run([...ON_PROJECT, ...model, '--model-calls', '2'])
    assert.equal(run.code, 4, run.stderr)
    assert.match(run.stdout, /^limit: Limit modelCalls: 2 /)
  })

  test('without bubblewrap the run is blocked, 3, with the line that installs it, and nothing was executed', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const witness = join(tao.folder, 'witness')
    const touch = calling('bash', { command: `touch ${witness} /tmp/tao-witness` })
    const model = await tao.script([touch, saying('Done.')])
    const args = [...ON_PROJECT, ...model, '--done', `touch ${witness}`]
    const run = await tao.run(args, { TAO_BWRAP: '/nowhere/bwrap' })
    assert.equal(run.code, 3, run.stderr)
    assert.match(run.stdout, /^blocked: There is no sandbox, so nothing was run\./)
    assert.match(run.stdout, /(apt-get|dnf|apk|pacman|zypper).* bubblewrap|bubblewrap/)
    const kinds = (await tao.journal())[0]?.map(({ kind }) => kind)
    assert.deepEqual(kinds, ['run.started', 'run.blocked', 'end.checked', 'run.ended'])
    await assert.rejects(access(witness))
  })

  test('replies of a script that nobody asked for are an error', async () => {
    await using tao = await openTao()
    const model = await tao.script([saying('4'), saying('5')])
    const run = await tao.run(['run', 'What is 2 + 2?', ...model])
    assert.equal(run.code, 1)
    assert.match(run.stderr, /has 2 replies, 1 were asked for/)
  })

  test('a model gets the tools that were named and no others', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const model = await tao.script([calling('bash', { command: 'id' }), saying('No bash.')])
    const run = await tao.run([...ON_PROJECT, ...model, '--tools', 'read_file, edit', '--json'])
    const events = eventsIn(run)
    const [started] = events
    assert.ok(started?.kind === 'run.started')
    assert.deepEqual(
      started.head.tools.map(({ name }) => name),
      ['read_file', 'edit'],
    )
    assert.ok(events.some((event) => event.kind === 'call.refused' && event.cause === 'unknown-tool'))
  })

  test('what a model and a tool write cannot steer the terminal', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const evil = '\x1b]0;owned\x07\u202e'
    const model = await tao.script([
      { text: `Look ${evil}`, calls: [{ name: 'bash', arguments: { command: "printf '\\033[2J'" } }] },
      saying(`Bye ${evil}`),
    ])
    const run = await tao.run([...ON_PROJECT, ...model])
    const shown = await tao.run(['show'])
    for (const text of [run.stdout, run.stderr, shown.stdout]) assert.doesNotMatch(text, STEERS_TERMINAL)
    assert.match(run.stdout, /Bye \\x1b\]0;owned\\x07\\u\{202e\}/)
  })
})
