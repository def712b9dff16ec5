import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { finished } from './journal.contract.ts'
import { openSqliteJournal } from './sqlite.ts'

const root = await mkdtemp(join(tmpdir(), 'tao-faults-'))
after(() => rm(root, { recursive: true }))

const PROLOGUE = `
  import { openSqliteJournal } from ${JSON.stringify(import.meta.resolve('./sqlite.ts'))}
  import { openCheckpointFile } from ${JSON.stringify(import.meta.resolve('./checkpoint-file.ts'))}
  import { finished } from ${JSON.stringify(import.meta.resolve('./journal.contract.ts'))}
  const told = ({ name, code, message, fix }) => ({ name, code, message, fix })
`

const SANDBOX = 'bwrap'

/** Another process, with a disk of its own under `/disk`. */
function onDisk(mount: readonly string[], code: string): unknown {
  const bwrap = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...mount, '--']
  const argv = [...bwrap, process.execPath, '--input-type=module', '-e', PROLOGUE + code]
  const { stdout, stderr } = spawnSync(SANDBOX, argv, { encoding: 'utf8', timeout: 60_000 })
  assert.equal(stderr, '')
  return JSON.parse(stdout)
}

interface Told {
  readonly name: string
  readonly code: string
  readonly message: string
  readonly fix: string
}

const FULL_DISK = ['--size', String(1 << 20), '--tmpfs', '/mnt']

test('on a full disk the run is told so with a fix, and goes on without a loss once there is room', () => {
  const { error, kept, read, after } = onDisk(
    FULL_DISK,
    `import { rmSync, writeFileSync } from 'node:fs'
    writeFileSync('/mnt/ballast', Buffer.alloc(300_000))
    const journal = openSqliteJournal('/mnt/journal.db')
    let error, kept = 0
    while (error === undefined) {
      journal.append(finished('a', kept, 'x'.repeat(4000)))
      await journal.flush('a', 'durable').then(() => kept++, (thrown) => { error = told(thrown) })
    }
    const { length: read } = await journal.read('a')
    rmSync('/mnt/ballast')
    for (let seq = read; seq < read + 3; seq++) journal.append(finished('a', seq))
    await journal.flush('a', 'durable')
    await journal.close()
    const again = openSqliteJournal('/mnt/journal.db')
    console.log(JSON.stringify({ error, kept, read, after: (await again.read('a')).length }))
    await again.close()`,
  ) as { error: Told; kept: number; read: number; after: number }
  assert.deepEqual([error.name, error.code], ['TaoError', 'journal'])
  assert.match(error.message, /the disk is full/)
  assert.match(error.fix, /Make room and go on with: tao resume/)
  assert.ok(kept > 10)
  assert.deepEqual([read, after], [kept, kept + 3])
})

test('a journal that is opened on a disk that is full already says that the disk is full', () => {
  const error = onDisk(
    FULL_DISK,
    `import { writeFileSync } from 'node:fs'
    await openSqliteJournal('/mnt/journal.db').close()
    try { for (let n = 0; ; n++) writeFileSync('/mnt/ballast' + n, Buffer.alloc(4096)) } catch {}
    try {
      openSqliteJournal('/mnt/journal.db')
    } catch (thrown) {
      console.log(JSON.stringify(told(thrown)))
    }`,
  ) as Told
  assert.match(error.message, /the disk is full/)
  assert.match(error.fix, /Make room/)
})

test('checkpoints that cannot be written stop the run before its effect', () => {
  const error = onDisk(
    FULL_DISK,
    `import { writeFileSync } from 'node:fs'
    const checkpoints = openCheckpointFile('/mnt/none/checkpoints')
    const journal = openSqliteJournal('/mnt/journal.db', { checkpoints })
    journal.append(finished('a', 0))
    console.log(JSON.stringify(await journal.flush('a', 'durable').catch(told)))
    await journal.close()`,
  ) as Told
  assert.deepEqual([error.name, error.code], ['TaoError', 'journal'])
  assert.match(error.message, /The checkpoints \/mnt\/none\/checkpoints cannot be written/)
  assert.match(error.fix, /Make room/)
})

test('in a folder that is read-only a journal is refused with a fix, and left as it is', async () => {
  const path = join(root, 'journal.db')
  const journal = openSqliteJournal(path)
  journal.append(finished('a', 0))
  await journal.close()
  const before = await readFile(path)
  const code = (place: string) =>
    `try { openSqliteJournal('${place}') } catch (thrown) { console.log(JSON.stringify(told(thrown))) }`
  for (const place of [path, join(root, 'new.db')]) {
    const error = onDisk(['--ro-bind', root, root], code(place)) as Told
    assert.deepEqual([error.name, error.code], ['TaoError', 'journal'], place)
    assert.match(error.fix, /Check who owns|Check .* and its folder/)
  }
  assert.deepEqual(await readFile(path), before)
})
