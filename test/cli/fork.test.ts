import assert from 'node:assert/strict'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Event } from '../../src/core/event.ts'
import { calling, saying } from '../support/bench.ts'
import { openTao, type TaoCommand } from '../support/tao-command.ts'

const bash = (command: string) => calling('bash', { command })

/** Step 1 changes, adds, removes and links; step 2 spoils all of it; step 3 is the answer. */
const SCRIPT = [
  bash(
    'echo two > a.txt; mkdir -p new/deep; printf "\\\\0\\\\377" > new/deep/b.bin; rm gone.txt; ln -s a.txt link; chmod 755 run.sh',
  ),
  bash('echo three > a.txt; rm -r new link; echo back > gone.txt; chmod 644 run.sh; echo more > more.txt'),
  saying('done'),
]

const FILES = { 'a.txt': 'one\n', 'gone.txt': 'here\n', 'run.sh': 'true\n', 'same.txt': 'same\n' }

/** The newest run. */
const newest = async (tao: TaoCommand): Promise<readonly Event[]> => (await tao.journal())[0] ?? []

const copyOf = (events: readonly Event[]): string =>
  events[0]?.kind === 'run.started' ? (events[0].workspace?.copy ?? '') : ''

async function ranThreeSteps(tao: TaoCommand): Promise<string> {
  const { code, stderr } = await tao.run(['run', 'Do it.', '-w', 'project', ...(await tao.script(SCRIPT))])
  assert.equal(code, 0, stderr)
  return (await newest(tao))[0]?.run ?? ''
}

describe('tao fork', { concurrency: 2 }, () => {
  test('a new run goes on from a step with its files as they were then, and the old one is left as it was', async () => {
    await using tao = await openTao(FILES)
    const parent = await ranThreeSteps(tao)
    const before = await newest(tao)
    await writeFile(join(tao.project, 'same.txt'), 'changed meanwhile\n')
    const look = [bash('cat a.txt; ls; readlink link; od -c new/deep/b.bin'), saying('seen')]
    const model = await tao.script(look, 'look.json')
    const forked = await tao.run(['fork', parent, '--at', '1', '--say', 'Look.', ...model])
    assert.equal(forked.code, 0, forked.stderr)

    const events = await newest(tao)
    const [started] = events
    const parentOf = started?.kind === 'run.started' ? started.parent : undefined
    assert.deepEqual([parentOf?.run, parentOf?.step], [parent, 1])
    const copied = parentOf?.events ?? 0
    assert.deepEqual(
      events.slice(1, copied).map(({ run: _, ...event }) => event),
      before.slice(1, copied).map(({ run: _, ...event }) => event),
    )
    assert.equal(events[copied]?.kind, 'run.resumed')
    const copy = copyOf(events)
    const [text, mode] = [
      (path: string) => readFileSync(join(copy, path), 'utf8'),
      (path: string) => lstatSync(join(copy, path)).mode & 0o777,
    ]
    assert.deepEqual(readdirSync(copy).sort(), ['a.txt', 'link', 'new', 'run.sh', 'same.txt'])
    assert.deepEqual([text('a.txt'), text('same.txt'), mode('run.sh')], ['two\n', 'same\n', 0o755])
    assert.deepEqual([...readFileSync(join(copy, 'new/deep/b.bin'))], [0, 255])
    assert.equal(readlinkSync(join(copy, 'link')), 'a.txt')
    const end = events.at(-1)
    assert.deepEqual(end?.kind === 'run.ended' ? end.outcome.changed : [], [
      'a.txt',
      'gone.txt',
      'link',
      'new/deep/b.bin',
      'run.sh',
    ])
    assert.equal(readFileSync(join(copyOf(before), 'a.txt'), 'utf8'), 'three\n')
    assert.match((await tao.run(['replay'])).stdout, /all as recorded/)
    assert.match((await tao.run(['verify'])).stdout, /sound/)
    assert.match((await tao.run(['diff'])).stdout, /-one\n\+two\n/)
    const both = await tao.run(['show', parent, started?.run ?? ''])
    assert.match(both.stdout, new RegExp(`^The first ${copied} events are the same\\.$`, 'm'))
    assert.match(both.stdout, /→ bash .*echo three.* │ /)
  })

  test('the history is rendered anew for another protocol', async () => {
    await using tao = await openTao(FILES)
    const parent = await ranThreeSteps(tao)
    const model = await tao.script([saying('<answer>as tagged</answer>')], 'tagged.json')
    const forked = await tao.run(['fork', parent, '--at', '2', '--protocol', 'tagged', ...model])
    assert.equal(forked.code, 0, forked.stderr)
    assert.match(forked.stdout, /as tagged/)
    assert.match((await tao.run(['replay'])).stdout, /all as recorded/)
  })

  test('at the end of a run that ended well something must be said; a step that there is not is refused; nothing is left', async () => {
    await using tao = await openTao(FILES)
    const parent = await ranThreeSteps(tao)
    const model = await tao.script([saying('more')], 'more.json')
    for (const [at, message] of [
      ['3', /nothing is left to do/],
      ['4', /has no step 4/],
      ['x', /is no step/],
    ] as const) {
      const refused = await tao.run(['fork', parent, '--at', at, ...model])
      assert.equal(refused.code, 2, at)
      assert.match(refused.stderr, message)
    }
    assert.equal((await tao.journal()).length, 1)
    assert.deepEqual(readdirSync(join(tao.home, 'work')), [parent])
    const anew = await tao.run(['fork', parent, '--at', '0', ...model])
    assert.equal(anew.code, 0, anew.stderr)
    assert.equal(readFileSync(join(copyOf(await newest(tao)), 'a.txt'), 'utf8'), 'one\n')
    assert.ok(existsSync(tao.home))
  })
})
