import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { calling, saying } from '../support/bench.ts'
import { openTao } from '../support/tao-command.ts'

const READ = calling('read_file', { path: 'a.txt' })
const EDIT = calling('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' })
const PROOF = ['--done', 'grep -q two a.txt']
const ON_PROJECT = ['run', 'Change it.', '--workspace', 'project', ...PROOF]

describe('tao resume', { concurrency: 2 }, () => {
  test('a run whose process was killed goes on where it was, and what took effect is not repeated', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const model = await tao.script([READ, EDIT, { ...saying('Changed.'), delayMs: 1_000 }])
    const started = tao.start([...ON_PROJECT, ...model])
    await started.said('step 3')
    started.child.kill('SIGKILL')
    await started.ended
    assert.match((await tao.run(['show'])).stdout, /No end is recorded[\s\S]*\nto go on with it: .* resume \S+\n$/)
    const resumed = await tao.run(['resume', 'latest'])
    assert.equal(resumed.code, 0, resumed.stderr)
    assert.match(resumed.stdout, /^success: /)
    assert.match(resumed.stderr, /\nresumed: by command\n/)
    const [events = []] = await tao.journal()
    assert.equal(events.filter(({ kind }) => kind === 'call.started').length, 2)
  })

  test('after a limit it goes on with that limit raised, and says which when it is not', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const model = await tao.script([READ, EDIT, saying('Changed.')])
    const limited = await tao.run([...ON_PROJECT, ...model, '--model-calls', '1'])
    assert.equal(limited.code, 4, limited.stderr)
    const again = await tao.run(['resume', 'latest'])
    assert.equal(again.code, 2)
    assert.match(again.stderr, /has used up its limit modelCalls: 1 of 1\.\nRaise it above 1 to go on\./)
    const raised = await tao.run(['resume', 'latest', '--model-calls', '5', '--json'])
    assert.equal(raised.code, 0, raised.stderr)
    assert.match(raised.stdout, /^\{"run":"\S+","seq":\d+,"at":"\S+","kind":"run\.resumed".*"modelCalls":5/)
  })

  test('after a cancellation it goes on with a new word and another model, and remembers the model', async () => {
    await using tao = await openTao()
    const model = await tao.script([{ text: 'Late.', delayMs: 60_000 }])
    const started = tao.start(['run', 'How much is 2 + 2?', ...model])
    await started.said('step 1')
    started.child.kill('SIGINT')
    assert.equal((await started.ended).code, 130)
    const other = await tao.script([saying('It is 4.'), saying('It is 6.')], 'other.json')
    const resumed = await tao.run(['resume', 'latest', '--say', 'Only the number.', ...other, '--quiet'])
    assert.match(resumed.stdout, /^answered: [\s\S]*It is 4\./, resumed.stderr)
    const [events = []] = await tao.journal()
    const said = events.find(({ kind }) => kind === 'user.said')
    assert.ok(said?.kind === 'user.said' && said.words[0]?.text === 'Only the number.')

    const ended = await tao.run(['resume', 'latest'])
    assert.equal(ended.code, 2)
    assert.match(ended.stderr, /has ended as "answered": nothing is left to do\.\nSay what is to be done next/)
    const more = await tao.run(['resume', 'latest', '--say', 'And 3 + 3?', '--quiet'])
    assert.match(more.stdout, /It is 6\./, more.stderr)
  })

  test('what is attached or bound reaches the run, and what nothing binds is refused', async () => {
    await using tao = await openTao()
    await tao.write('letter.txt', 'Dear Bob\n')
    const model = await tao.script([saying('Read.')])
    const run = await tao.run(['run', 'Sum it up.', '--attach', 'letter.txt', '--client', '4711', ...model, '--json'])
    const [started, mark] = run.stdout.split('\n').map((line) => (line === '' ? {} : JSON.parse(line)))
    assert.equal(started.client, '4711')
    assert.deepEqual(started.words[1], { kind: 'attached', name: 'letter.txt', text: 'Dear Bob\n' })
    assert.deepEqual([mark.kind, mark.mark, mark.source], ['mark.added', 'untrusted', 'attachment'])
    const refused = await tao.run(['run', 'x', '--bind', 'client=4712', ...model])
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /no "client" that could be bound/)
  })
})
