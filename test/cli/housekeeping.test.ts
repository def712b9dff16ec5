import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { calling, saying } from '../support/bench.ts'
import { openTao, type TaoCommand } from '../support/tao-command.ts'

const DAY = 86_400_000

/** A run whose command printed more than the journal takes; gives its id and the name of the kept result. */
async function ranLong(tao: TaoCommand, last: number): Promise<{ run: string; object: string }> {
  const model = await tao.script([calling('bash', { command: `seq 1 ${last}` }), saying('done')])
  const { code, stderr } = await tao.run(['run', `Count to ${last}.`, '-w', 'project', ...model])
  assert.equal(code, 0, stderr)
  const [events = []] = await tao.journal()
  const object = events.flatMap((event) => (event.kind === 'call.finished' ? (event.whole ?? []) : []))[0]
  return { run: events[0]?.run ?? '', object: object ?? '' }
}

const objectPath = (home: string, sha256: string): string => join(home, 'objects', sha256.slice(0, 2), sha256)

async function age(tao: TaoCommand, object: string): Promise<void> {
  const then = (Date.now() - 2 * DAY) / 1000
  await utimes(objectPath(tao.home, object), then, then)
}

describe('housekeeping', { concurrency: 2 }, () => {
  test('prune shows what is meant, removes it when told, with its copy and results, and leaves the rest', async () => {
    await using tao = await openTao()
    const [old, kept] = [await ranLong(tao, 20_000), await ranLong(tao, 30_000)]
    for (const { object } of [old, kept]) await age(tao, object)

    for (const args of [['--prune'], ['--prune', '--status', 'lost'], ['--prune', '--older-than', 'soon'], ['--yes']])
      assert.equal((await tao.run(['runs', ...args])).code, 2, `${args}`)
    const dry = await tao.run(['runs', '--prune', '--status', 'answered,failed'])
    assert.match(
      dry.stdout,
      /^\S+ {2}answered .*\n\S+ {2}answered .*\n2 runs, .* Nothing was removed; to do it, add --yes\.\n$/,
    )
    assert.equal((await tao.journal()).length, 2)
    assert.match((await tao.run(['runs', '--prune', '--older-than', '1h'])).stdout, /^0 runs/)
    assert.match((await tao.run(['runs', '--prune', '--larger-than', '1GB'])).stdout, /^0 runs/)

    await writeFile(join(tao.home, 'work', kept.run, 'apply.json'), '{}') // cut off: nothing may take this run away
    const done = await tao.run(['runs', '--prune', '--status', 'answered', '--yes'])
    assert.match(done.stdout, /kept: an apply of it is going on/)
    assert.match(done.stdout, /\n1 run and 1 result removed, /)
    assert.deepEqual(
      (await tao.journal()).map(([first]) => first?.run),
      [kept.run],
    )
    assert.deepEqual(readdirSync(join(tao.home, 'work')), [kept.run])
    assert.deepEqual(
      [old, kept].map(({ object }) => existsSync(objectPath(tao.home, object))),
      [false, true],
    )
    assert.equal((await tao.run(['verify'])).code, 0)
  })

  test('what a file held after a step is kept as long as a run speaks of it, and goes with the last one', async () => {
    await using tao = await openTao()
    const model = await tao.script([
      calling('write_file', { path: 'new.txt', content: 'one\n' }),
      calling('edit', { path: 'new.txt', old_text: 'one', new_text: 'two' }),
      saying('done'),
    ])
    const ran = await tao.run(['run', 'Write it.', '-w', 'project', ...model])
    assert.equal(ran.code, 0, ran.stderr)
    const [events = []] = await tao.journal()
    const contents = events.flatMap((event) =>
      event.kind === 'files.changed' ? event.files.flatMap((file) => ('sha256' in file ? [file.sha256] : [])) : [],
    )
    assert.equal(new Set(contents).size, 2)
    const parent = events[0]?.run ?? ''
    const forked = await tao.run(['fork', parent, '--at', '1', ...(await tao.script([saying('done')]))])
    assert.equal(forked.code, 0, forked.stderr)
    for (const content of contents) await age(tao, content)

    const prune = async (run: string) => {
      const others = (await tao.journal()).map(([first]) => first?.run).filter((each) => each !== run)
      for (const other of others) await writeFile(join(tao.home, 'work', other ?? '', 'apply.json'), '{}')
      await tao.run(['runs', '--prune', '--status', 'answered', '--yes'])
      for (const other of others) await rm(join(tao.home, 'work', other ?? '', 'apply.json'))
    }
    const areKept = () => contents.map((content) => existsSync(objectPath(tao.home, content)))
    await prune(parent)
    assert.equal((await tao.journal()).length, 1)
    assert.deepEqual(areKept(), [true, false], 'the fork speaks of the first content only')
    await age(tao, contents[0] ?? '') // it was read a moment ago, which counts as wanted
    await tao.run(['runs', '--prune', '--status', 'answered', '--yes'])
    assert.deepEqual(areKept(), [false, false])
  })

  test('a run goes to another place as one file, with its results, and is what was recorded', async () => {
    await using tao = await openTao()
    await using other = await openTao()
    const { run, object } = await ranLong(tao, 20_000)
    const file = join(tao.folder, 'run.jsonl')
    assert.match((await tao.run(['runs', 'export', 'latest', file])).stdout, /^1 run and 1 result written to /)
    assert.equal((await tao.run(['runs', 'export', 'latest', file])).code, 2, 'no file is written over')
    assert.match((await tao.run(['runs', 'import', file])).stderr, /There is a run .* already/)

    const taken = await other.run(['runs', 'import', file])
    assert.equal(taken.stdout, `${run}\n`, taken.stderr)
    assert.match(taken.stderr, /other-key/)
    assert.deepEqual(await other.journal(), await tao.journal())
    assert.ok(existsSync(objectPath(other.home, object)))
    assert.match((await other.run(['runs'])).stdout, /\(imported\)\n$/)
    const key = (await readFile(join(tao.home, 'journal.key'), 'utf8')).trim()
    assert.equal((await other.run(['verify'], { TAO_JOURNAL_KEY: key })).code, 0)
    const apply = await other.run(['apply', 'latest', '--unproved'])
    assert.match(apply.stderr, /came as a file, so its working copy is not here/)
  })

  test('a file that is not what was exported is refused, and nothing of it is taken', async () => {
    await using tao = await openTao()
    await using other = await openTao()
    await ranLong(tao, 20_000)
    const file = join(tao.folder, 'run.jsonl')
    await tao.run(['runs', 'export', 'latest', file])
    const text = await readFile(file, 'utf8')
    const harms: readonly (readonly [string, string, RegExp])[] = [
      ['edited', text.replace('Count to', 'Count up to'), /it was changed or damaged on its way/],
      ['cut', text.slice(0, text.length / 2), /a line of it is not JSON/],
      ['without its end', text.split('\n').slice(0, -2).join('\n'), /a part of it is missing/],
      ['of a newer version', text.replace('"version":1', '"version":9'), /it has version 9/],
      ['another file', 'Buy milk.\n', /a line of it is not JSON/],
    ]
    for (const [what, harmed, message] of harms) {
      await writeFile(file, harmed)
      const { code, stderr } = await other.run(['runs', 'import', file])
      assert.equal(code, 2, what)
      assert.match(stderr, message, what)
    }
    assert.deepEqual(await other.journal(), [])
  })
})
