import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { BatchRecord } from '../../src/batch/record.ts'
import { type ChatHandler, type ChatServer, startChatServer } from '../support/chat-server.ts'
import { openTao, type TaoCommand } from '../support/tao-command.ts'

const ANSWER = { text: 'It is so.', usage: { inputFresh: 100, output: 10 } }

/** The command with a dataset, and a service whose answers take a while. */
async function openBatchTao(items: number, delayMs: number): Promise<BatchTao> {
  const tao = await openTao()
  const handler: ChatHandler = () => ({ ...ANSWER, delayMs })
  const service = await startChatServer(handler)
  const rows = Array.from({ length: items }, (_, at) => JSON.stringify({ id: `q${at}`, question: `Is it ${at}?` }))
  await tao.write('q.jsonl', rows.join('\n'))
  await tao.write('ask.task.yaml', 'task: "{{question}}"\ntools: []\n')
  const model = ['--model', 'openai-compatible/m', '--base-url', service.url]
  return {
    tao,
    service,
    args: ['batch', 'q.jsonl', '--task', 'ask.task.yaml', '--out', 'out', ...model],
    records: () => recordsIn(join(tao.folder, 'out/rollout-1.jsonl')),
    async [Symbol.asyncDispose]() {
      await service.close()
      await tao[Symbol.asyncDispose]()
    },
  }
}

interface BatchTao extends AsyncDisposable {
  readonly tao: TaoCommand
  readonly service: ChatServer
  readonly args: readonly string[]
  /** Of whole lines. */
  records(): BatchRecord[]
}

function recordsIn(path: string): BatchRecord[] {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as BatchRecord)
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(5)
}

describe('tao batch', { concurrency: 2 }, () => {
  test('on a pipe each rollout is a line, the end says where the records are, and every run can be shown', async () => {
    await using batch = await openBatchTao(3, 0)
    const ended = await batch.tao.run([...batch.args, '--rollouts', '2'])
    assert.equal(ended.code, 0, ended.stderr)
    assert.equal(ended.stderr.match(/^q\d {2}rollout [12] {2}answered {2}1 call /gm)?.length, 6, ended.stderr)
    assert.match(ended.stdout, /^6 of 6 rollouts have their record in .*\/out\.\n660 tokens · /)
    const shown = await batch.tao.run(['show', batch.records()[0]?.run ?? ''])
    assert.match(shown.stdout, /task: Is it \d\?[\s\S]*It is so\./)
  })

  test('--json prints a line for each rollout and one for the batch; a broken row makes the exit code 1', async () => {
    await using batch = await openBatchTao(1, 0)
    await batch.tao.write('q.jsonl', '{"id":"a","question":"A?"}\n{"id":"b"}\n')
    const ended = await batch.tao.run([...batch.args, '--json'])
    assert.equal(ended.code, 1, ended.stderr)
    const lines = ended.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    assert.deepEqual(lines.map(({ kind, id, status }) => [kind, id, status]).sort(), [
      ['batch', undefined, undefined],
      ['rollout', 'a', 'answered'],
      ['rollout', 'b', 'failed'],
    ])
    const { done, failed, total } = lines.at(-1) ?? {}
    assert.deepEqual([done, failed, total], [2, 1, 2])
  })

  // https://github.com/miclaldogan/bantzv2/issues/511
  test('killed at any moment and resumed, it ends with every record, none twice and none lost', async () => {
    const items = 40
    await using batch = await openBatchTao(items, 30)
    const args = [...batch.args, '--concurrency', '4', '--quiet', '--resume']
    let before = 0
    for (const more of [1, 7]) {
      const started = batch.tao.start(args)
      await until(() => batch.records().length >= before + more && batch.service.requests.length > before)
      await wait(Math.random() * 30)
      started.child.kill('SIGKILL')
      assert.equal((await started.ended).signal, 'SIGKILL')
      before = batch.records().length
    }
    const ended = await batch.tao.run(args)
    assert.deepEqual([ended.code, ended.stderr], [0, ''])
    const ids = batch.records().map(({ id }) => id)
    assert.deepEqual([ids.length, new Set(ids).size], [items, items])
    const runs = new Set(batch.records().map(({ run }) => run))
    assert.equal(runs.size, items)
    assert.ok((await batch.tao.journal()).filter((events) => events.at(-1)?.kind === 'run.ended').length >= items)
  })

  test('the first Ctrl-C finishes what runs; the second ends it, and what was under way is taken up', async () => {
    await using batch = await openBatchTao(6, 300)
    const args = [...batch.args, '--concurrency', '2']
    const first = batch.tao.start(args)
    await until(() => batch.service.requests.length === 2)
    first.child.kill('SIGINT')
    const finished = await first.ended
    assert.equal(finished.code, 130, finished.stderr)
    assert.match(finished.stderr, /Finishing what is running\./)
    assert.match(finished.stdout, /^2 of 6 rollouts .*finished early\.[\s\S]*The other 4: .*--resume/)
    const second = batch.tao.start([...args, '--resume'])
    await until(() => batch.service.requests.length === 4)
    second.child.kill('SIGINT')
    await second.said('Finishing')
    second.child.kill('SIGINT')
    assert.equal((await second.ended).code, 130)
    const third = await batch.tao.run([...args, '--resume'])
    assert.equal(third.code, 0, third.stderr)
    const runs = batch.records().map(({ run }) => run)
    assert.equal(new Set(runs).size, 6)
    const journal = await batch.tao.journal()
    assert.equal(journal.length, 6, 'no run was begun anew')
    assert.equal(journal.filter((events) => events.some(({ kind }) => kind === 'run.resumed')).length, 2)
  })

  test('what cannot work is refused before anything is asked, with what to do', async () => {
    await using batch = await openBatchTao(1, 0)
    for (const [wrong, pattern] of [
      [[...batch.args, '--shard', '4/3'], /2\/3/],
      [['run', 'ask.task.yaml', ...batch.args.slice(6)], /--preset ask\.task\.yaml/],
    ] as const) {
      const ended = await batch.tao.run(wrong)
      assert.equal(ended.code, 2, ended.stderr)
      assert.match(ended.stderr, pattern)
    }
    assert.equal(batch.service.requests.length, 0)
  })

  test('tao run --preset does with one question what a batch does with many', async () => {
    await using batch = await openBatchTao(1, 0)
    const ended = await batch.tao.run(['run', 'Is it 7?', '--preset', 'ask.task.yaml', ...batch.args.slice(6)])
    assert.equal(ended.code, 0, ended.stderr)
    const [events] = await batch.tao.journal()
    assert.equal(events?.[0]?.kind === 'run.started' && events[0].task, 'Is it 7?')
  })
})
