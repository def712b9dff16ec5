import assert from 'node:assert/strict'
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { calling, saying } from '../support/bench.ts'
import { openTao, type TaoCommand } from '../support/tao-command.ts'

/** What somebody does who has the file, and not the key. */
function change(tao: TaoCommand, sql: string): void {
  const raw = new DatabaseSync(join(tao.home, 'journal.sqlite'))
  raw.exec(sql)
  raw.close()
}

async function ranOnce(tao: TaoCommand): Promise<string> {
  const model = await tao.script([calling('bash', { command: 'echo one > a.txt' }), saying('done')])
  const { code, stderr } = await tao.run(['run', 'Do it.', '-w', 'project', ...model])
  assert.equal(code, 0, stderr)
  return (await tao.journal())[0]?.[0]?.run ?? ''
}

describe('tao verify', { concurrency: 2 }, () => {
  test('says that a run is sound, by what, and then what was done to it', async () => {
    await using tao = await openTao()
    const run = await ranOnce(tao)
    const key = join(tao.home, 'journal.key')
    assert.equal((await stat(key)).mode & 0o777, 0o600)
    const sound = await tao.run(['verify'])
    assert.match(sound.stdout, new RegExp(`^${run}  sound: \\d+ events, by links made with the key; 2 checkpoints\n$`))
    assert.equal(sound.code, 0)

    change(tao, "UPDATE event SET fact = replace(fact, 'one', 'two') WHERE seq = 2")
    const edited = await tao.run(['verify', run, '--json'])
    assert.equal(edited.code, 1)
    const { problem } = JSON.parse(edited.stdout) as { problem: { kind: string; seq: number } }
    assert.deepEqual([problem.kind, problem.seq], ['edited', 2])

    change(tao, 'DELETE FROM event; DELETE FROM run')
    const gone = await tao.run(['verify', run])
    assert.match(gone.stdout, /cut, from event 0 on\n {2}It ends before event 0, but a checkpoint has seen \d+ events/)
    assert.equal(gone.code, 1)
  })

  test('a key that others may read, that is too short, or that is another one, is no proof', async () => {
    await using tao = await openTao()
    await ranOnce(tao)
    const key = join(tao.home, 'journal.key')
    await chmod(key, 0o644)
    const open = await tao.run(['verify'])
    assert.equal(open.code, 2)
    assert.match(open.stderr, /others may read or write it\.\nClose it with: chmod 600 /)
    assert.match((await tao.run(['verify'], { TAO_JOURNAL_KEY: 'short' })).stderr, /fewer than 16 characters/)
    const given = (await readFile(key, 'utf8')).trim()
    await rm(key)
    assert.match((await tao.run(['verify'])).stdout, /other-key.*\n.*a key, and there is none here/)
    assert.equal((await tao.run(['verify'], { TAO_JOURNAL_KEY: given })).code, 0)
  })
})

test('an address that is no PostgreSQL is refused without being repeated', async () => {
  await using tao = await openTao()
  const { code, stderr } = await tao.run(['runs'], { TAO_JOURNAL: 'mysql://me:secret@host/x' })
  assert.equal(code, 2)
  assert.match(stderr, /TAO_JOURNAL is no address of a PostgreSQL database/)
  assert.doesNotMatch(stderr, /secret/)
})

test('checkpoints go where they are told to go', async () => {
  await using tao = await openTao()
  const model = await tao.script([saying('done')])
  const place = join(tao.folder, 'second-place')
  await writeFile(place, '{"run":"cut off in the mid')
  await tao.run(['run', 'Say it.', ...model], { TAO_CHECKPOINTS: place })
  const [, line = ''] = (await readFile(place, 'utf8')).split('\n')
  assert.match(line, /^\{"run":"[\w-]+","count":\d+,"head":"[\w-]{22}"\}$/)
  assert.match((await tao.run(['verify'], { TAO_CHECKPOINTS: place })).stdout, /sound: .*; 1 checkpoint\n/)
})
