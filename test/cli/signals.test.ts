import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Event } from '../../src/core/event.ts'
import { calling, saying } from '../support/bench.ts'
import { openTao, type TaoCommand } from '../support/tao-command.ts'

/** A command that goes on for ever, with children that ignore requests to end. Its marker finds it among all processes. */
const stubborn = (marker: string) =>
  calling('bash', { command: `trap '' TERM INT; (trap '' TERM; sleep 987${marker}) & sleep 987${marker}` })

let nextMarker = process.pid * 10
const marker = (): string => String(nextMarker++)

function survivors(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readCommandLine(pid).includes(mark))
}

function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // It has ended meanwhile.
  }
}

async function expectGone(mark: string): Promise<void> {
  for (let i = 0; i < 200 && survivors(mark).length > 0; i++) await wait(25)
  assert.deepEqual(survivors(mark).map(readCommandLine), [])
}

async function onlyRun(tao: TaoCommand): Promise<readonly Event[]> {
  const runs = await tao.journal()
  assert.equal(runs.length, 1)
  return runs[0] ?? []
}

const ON_PROJECT = ['run', 'Do it.', '--workspace', 'project']

describe('signals', { concurrency: 2 }, () => {
  for (const [signal, by] of [
    ['SIGINT', 'Ctrl-C'],
    ['SIGTERM', 'SIGTERM'],
  ] as const)
    test(`${signal} while a command runs cancels: pairs closed, one ending, exit 130, no process left`, async () => {
      await using tao = await openTao({ 'a.txt': 'one\n' })
      const mark = marker()
      const model = await tao.script([stubborn(mark), saying('Done.')])
      const started = tao.start([...ON_PROJECT, ...model])
      await started.said('→ bash')
      while (survivors(mark).length < 2) await wait(10)
      started.child.kill(signal)
      const ended = await started.ended
      assert.deepEqual([ended.code, ended.signal], [130, null], ended.stderr)
      assert.match(ended.stdout, new RegExp(`^cancelled: Cancelled by ${by}\\.`))
      const events = await onlyRun(tao)
      assert.equal(events.filter(({ kind }) => kind === 'run.ended').length, 1)
      assert.equal(events.at(-1)?.kind, 'run.ended')
      const started_ = events.filter(({ kind }) => kind === 'call.started').length
      assert.equal(events.filter(({ kind }) => kind === 'call.finished').length, started_)
      await expectGone(mark)
    })

  test('Ctrl-C while the model is asked cancels at once', async () => {
    await using tao = await openTao()
    const model = await tao.script([{ text: 'Late.', delayMs: 60_000 }])
    const started = tao.start(['run', 'x', ...model])
    await started.said('step 1')
    started.child.kill('SIGINT')
    const ended = await started.ended
    assert.equal(ended.code, 130)
    assert.deepEqual(
      (await onlyRun(tao)).map(({ kind }) => kind),
      ['run.started', 'request.sent', 'cancel.requested', 'run.ended'],
    )
  })

  test('a second Ctrl-C ends the process at once, and what ran in the sandbox ends with it', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const mark = marker()
    // A tool that is being ended takes a moment; two signals in a row come before that moment is over.
    const model = await tao.script([stubborn(mark), saying('Done.')])
    const started = tao.start([...ON_PROJECT, ...model])
    await started.said('→ bash')
    while (survivors(mark).length < 2) await wait(10)
    started.child.kill('SIGINT')
    started.child.kill('SIGINT')
    const ended = await started.ended
    assert.equal(ended.code, 130)
    await expectGone(mark)
  })

  test('a reader that goes away cancels the run', async () => {
    await using tao = await openTao()
    const model = await tao.script([{ text: 'Late.', delayMs: 60_000 }])
    const started = tao.start(['run', 'x', '--json', ...model])
    started.child.stdout?.destroy()
    const ended = await started.ended
    assert.equal(ended.code, 130, ended.stderr)
    const events = await onlyRun(tao)
    assert.equal(events.at(-1)?.kind, 'run.ended')
  })

  test('after SIGKILL at any moment the journal can be read, no process is left, and a new run works', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const mark = marker()
    const replies = [calling('read_file', { path: 'a.txt' }), stubborn(mark), saying('Done.')]
    const model = await tao.script(replies)
    for (const moment of ['run: ', 'step 1', '→ read_file', '← ok', '→ bash', 'later']) {
      const started = tao.start([...ON_PROJECT, ...model])
      await started.said(moment === 'later' ? '→ bash' : moment)
      if (moment === 'later') {
        while (survivors(mark).length < 2) await wait(10)
        const list = await tao.run(['runs'])
        assert.match(
          list.stdout,
          new RegExp(`^\\S+ {2}running .*\\(process ${started.child.pid}\\)\n\\S+ {2}unfinished `),
        )
        const resumed = await tao.run(['resume', 'latest'])
        assert.match(resumed.stderr, new RegExp(`worked on by process ${started.child.pid} of this machine`))
        assert.equal(resumed.code, 2)
      }
      started.child.kill('SIGKILL')
      assert.equal((await started.ended).signal, 'SIGKILL')
      await expectGone(mark)
    }
    for (const events of await tao.journal()) {
      assert.deepEqual(
        events.map(({ seq }) => seq),
        events.map((_, at) => at),
      )
      assert.ok(events.every(({ kind }) => kind !== 'run.ended'))
    }
    const shown = await tao.run(['show'])
    assert.match(shown.stdout, /→ bash[\s\S]*No end is recorded/)
    const next = await tao.run(['run', 'x', ...(await tao.script([saying('4')], 'next.json'))])
    assert.equal(next.code, 0, next.stderr)
    assert.match((await tao.run(['runs'])).stdout, /^\S+ {2}answered .*\n\S+ {2}unfinished /)
  })
})
