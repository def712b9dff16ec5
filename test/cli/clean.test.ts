import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { calling, saying } from '../support/bench.ts'
import { openTao, type TaoCommand } from '../support/tao-command.ts'

async function ranTwice(tao: TaoCommand): Promise<string[]> {
  const model = await tao.script([saying('done')])
  for (let n = 0; n < 2; n++) {
    const { code, stderr } = await tao.run(['run', 'Do it.', '-w', 'project', '-t', 'read_file', ...model])
    assert.equal(code, 0, stderr)
  }
  return (await tao.journal()).flatMap(([first]) => (first === undefined ? [] : [first.run]))
}

const copies = (tao: TaoCommand): string[] => readdirSync(join(tao.home, 'work')).sort()

describe('tao clean', { concurrency: 2 }, () => {
  test('removes working copies, says how much is free again, and leaves the record', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n', 'big.bin': 'x'.repeat(300_000) })
    const runs = await ranTwice(tao)
    const listed = await tao.run(['clean'])
    assert.match(listed.stdout, new RegExp(`^${runs[0]} {2}\\d{4}-\\d\\d-\\d\\d {2}\\S+ kB\n`))
    assert.match(listed.stderr, /^2 working copies, .*Nothing was removed\. To remove some:\n.*clean --all\n$/)
    assert.equal(copies(tao).length, 2)
    const old = await tao.run(['clean', '--older-than', '1h'])
    assert.match(old.stdout, /^0 working copies removed/)
    const one = await tao.run(['clean', 'latest'])
    assert.match(
      one.stdout,
      new RegExp(`^${runs[0]} .*\n1 working copy removed, [3-9]\\d\\d\\.\\d kB free again\\.\n$`),
    )
    assert.deepEqual(copies(tao), [runs[1]])
    const all = await tao.run(['clean', '--all', '--json'])
    assert.equal((JSON.parse(all.stdout.trim().split('\n').at(-1) ?? '') as { removed: number }).removed, 1)
    assert.deepEqual(copies(tao), [])
    assert.equal((await tao.run(['show', runs[0] ?? ''])).code, 0)
    const diff = await tao.run(['diff', 'latest'])
    assert.equal(diff.code, 2)
    assert.match(diff.stderr, /is not there any more\.\nIt was removed, perhaps by: tao clean\./)
  })

  test('leaves a run alone that is going on, and one whose apply was cut off', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const [run = ''] = await ranTwice(tao)
    await writeFile(join(tao.home, 'work', run, 'apply.json'), '{}')
    const model = await tao.script([calling('bash', { command: 'sleep 30' }), saying('done')], 'slow.json')
    const going = tao.start(['run', 'Do it.', '-w', 'project', ...model])
    await going.said('sleep 30')
    const cleaned = await tao.run(['clean', '--all'])
    assert.match(cleaned.stdout, / kept: the run is still going on\n/)
    assert.match(cleaned.stdout, new RegExp(`^${run} {2}kept: an apply of it is going on or was cut off`, 'm'))
    assert.equal(copies(tao).length, 2)
    going.child.kill('SIGINT')
    assert.equal((await going.ended).code, 130)
    assert.match((await tao.run(['clean', '--all'])).stdout, /^1 working copy removed/m)
  })

  test('an index of documents goes when it was not used for long or its folder is gone, and one in use stays', async () => {
    await using tao = await openTao()
    for (const name of ['kept', 'unused', 'gone', 'fresh']) {
      await tao.write(`${name}/a.md`, 'Some words.')
      const model = await tao.script([calling('search', { query: 'words' }), saying('done')])
      const { code, stderr } = await tao.run(['run', 'Look.', '--corpus', name, '-t', 'search', ...model])
      assert.equal(code, 0, stderr)
    }
    const corpora = join(tao.home, 'corpora')
    const hoursAgo: Readonly<Record<string, number>> = { kept: 2, unused: 200, gone: 2, fresh: 0 }
    for (const place of readdirSync(corpora)) {
      const noted = join(corpora, place, 'folder')
      const time = new Date(Date.now() - (hoursAgo[basename(readFileSync(noted, 'utf8'))] ?? 0) * 3_600_000)
      await utimes(noted, time, time)
    }
    await rm(join(tao.folder, 'gone'), { recursive: true })
    const listed = await tao.run(['clean'])
    assert.match(listed.stdout, /^index of \S+\/gone {2}\d{4}-\d\d-\d\d {2}\S+ kB {2}its folder is gone$/m)
    assert.match(listed.stderr, /^0 working copies, 4 indexes of documents, /)
    const old = await tao.run(['clean', '--older-than', '7d'])
    assert.match(old.stdout, /^0 working copies and 2 indexes of documents removed, \S+ kB free again\.$/m)
    assert.equal(readdirSync(corpora).length, 2)
    const all = await tao.run(['clean', '--all'])
    assert.match(all.stdout, /^index of \S+\/fresh {2}kept: it was used within the last hour$/m)
    assert.match(all.stdout, /and 1 index of documents removed/)
  })

  test('refuses what means no copy', async () => {
    await using tao = await openTao()
    await ranTwice(tao)
    assert.match((await tao.run(['clean', 'nothing'])).stderr, /There is no run "nothing"/)
    const wrong = await tao.run(['clean', '--older-than', 'tomorrow'])
    assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
  })
})

test('Ctrl-C while the tree is copied ends the run at once, as cancelled, and leaves no half copy', async () => {
  await using tao = await openTao()
  for (let folder = 0; folder < 60; folder++) {
    await mkdir(join(tao.project, `d${folder}`))
    await Promise.all(
      Array.from({ length: 250 }, (_, n) => writeFile(join(tao.project, `d${folder}`, `f${n}`), `${n}`)),
    )
  }
  const started = tao.start(['run', 'Do it.', '-w', 'project', ...(await tao.script([saying('done')]))])
  const work = join(tao.home, 'work')
  while (!existsSync(work) || readdirSync(work).length === 0) await wait(2)
  started.child.kill('SIGINT')
  const { code, stdout, stderr } = await started.ended
  assert.equal(code, 130, stderr)
  assert.match(stdout, /^cancelled: /)
  assert.deepEqual(copies(tao), [])
  const [first, ...rest] = (await tao.journal())[0] ?? []
  assert.ok(first?.kind === 'run.started' && first.workspace === undefined)
  assert.equal(rest.at(-1)?.kind, 'run.ended')
})
