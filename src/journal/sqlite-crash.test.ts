import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { finished } from './journal.contract.ts'
import { openSqliteJournal } from './sqlite.ts'

const root = await mkdtemp(join(tmpdir(), 'tao-crash-'))
after(() => rm(root, { recursive: true }))
const freshPath = async (): Promise<string> => join(await mkdtemp(join(root, 'j-')), 'journal.db')

const PROLOGUE = `
  import { openSqliteJournal } from ${JSON.stringify(import.meta.resolve('./sqlite.ts'))}
  import { finished } from ${JSON.stringify(import.meta.resolve('./journal.contract.ts'))}
  const journal = openSqliteJournal(process.argv[1])
`

/** Another process with the journal open; `shell` stands before it on the command line. */
function startProcess(path: string, code: string, ...shell: string[]): ChildProcess {
  const argv = [...shell, process.execPath, '--input-type=module', '-e', PROLOGUE + code, path]
  return spawn(argv[0] ?? '', argv.slice(1), { stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
}

async function output(child: ChildProcess): Promise<{ stdout: string; stderr: string; exit: unknown }> {
  assert.ok(child.stdout && child.stderr)
  const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { stdout, stderr, exit }
}

// https://github.com/langchain-ai/langgraph/issues/8039
test('a process killed at any moment loses nothing it has flushed and leaves whole batches', async () => {
  for (const round of [0, 1, 2, 3]) {
    const path = await freshPath()
    const child = startProcess(
      path,
      `import { writeSync } from 'node:fs'
      for (let seq = 0; seq < 5000; seq++) {
        for (const run of ['a', 'b', 'c']) journal.append(finished(run, seq, 'x'.repeat(seq * 37 % 3000)))
        await journal.flush('a', seq % 3 === 0 ? 'durable' : 'committed')
        writeSync(1, seq + '\\n')
      }`,
    )
    child.stdout?.once('data', () => setTimeout(() => child.kill('SIGKILL'), round * 17 * Math.random()))
    const { stdout } = await output(child)
    const flushed = Number(stdout.slice(0, stdout.lastIndexOf('\n')).split('\n').at(-1))

    const journal = openSqliteJournal(path)
    const events = await journal.read('a')
    assert.ok(events.length > flushed, `${events.length} events after event ${flushed} was flushed`)
    for (const run of ['b', 'c']) assert.equal((await journal.read(run)).length, events.length)
    journal.append(finished('a', events.length))
    assert.equal((await journal.read('a')).length, events.length + 1)
    await journal.close()
  }
})

// https://github.com/PrimeIntellect-ai/prime-agent/pull/1785
test('a log torn anywhere gives the runs as they were at an earlier commit, and they go on from there', async () => {
  const path = await freshPath()
  const journal = openSqliteJournal(path)
  for (let seq = 0; seq < 8; seq++) {
    journal.append(finished('a', seq, 'y'.repeat(700)))
    journal.append(finished('b', seq))
    await journal.flush('a', 'committed')
  }
  const log = await readFile(`${path}-wal`)
  const lengths = new Set<number>()
  for (let size = 0; size <= log.length; size += 4099) {
    const torn = await freshPath()
    await copyFile(path, torn)
    await writeFile(`${torn}-wal`, log.subarray(0, size))
    const again = openSqliteJournal(torn)
    const { length } = await again.read('a')
    lengths.add(length)
    assert.equal((await again.read('b')).length, length)
    again.append(finished('a', length, 'after the crash'))
    await again.close()
    const reopened = openSqliteJournal(torn)
    assert.deepEqual((await reopened.read('a')).at(-1), finished('a', length, 'after the crash'))
    await reopened.close()
  }
  assert.ok(lengths.size > 4, 'the log was torn at different commits')
  await journal.close()
})

test('processes that make the same journal at once all succeed, and nothing is said on standard error', async () => {
  const path = await freshPath()
  const runs = ['a', 'b', 'c', 'd']
  const code = (run: string): string =>
    `journal.append(finished('${run}', 0)); await journal.flush('${run}', 'durable')`
  const outputs = await Promise.all(runs.map((run) => output(startProcess(path, code(run)))))
  for (const result of outputs) assert.deepEqual(result, { stdout: '', stderr: '', exit: 0 })
  const journal = openSqliteJournal(path)
  for (const run of runs) assert.equal((await journal.read(run)).length, 1)
  await journal.close()
})

test('a lock that another process gives back in time is only a wait', async () => {
  const path = await freshPath()
  const journal = openSqliteJournal(path)
  const child = startProcess(
    path,
    `import { DatabaseSync } from 'node:sqlite'
    const raw = new DatabaseSync(process.argv[1])
    raw.exec('BEGIN IMMEDIATE')
    console.log('locked')
    setTimeout(() => raw.exec('ROLLBACK'), 30)`,
  )
  assert.ok(child.stdout)
  await once(child.stdout, 'data')
  journal.append(finished('a', 0))
  await journal.flush('a', 'committed')
  assert.equal((await journal.read('a')).length, 1)
  await journal.close()
  await once(child, 'exit')
})

test('a disk that takes no more ends every run of the batch with a fix, and keeps what was written', async () => {
  const path = await freshPath()
  const child = startProcess(
    path,
    `const told = []
    let seq = 0
    for (; seq < 1000 && told.length === 0; seq++) {
      for (const run of ['a', 'b']) journal.append(finished(run, seq, 'z'.repeat(4000)))
      for (const run of ['a', 'b']) await journal.flush(run, 'committed').catch((error) => told.push(run, error.message, error.fix))
    }
    console.log(JSON.stringify({ told, kept: seq - 1 }))
    process.exit()`,
    // A file may have 400 KiB: as near to a full disk as a test can come without being root.
    'bash',
    '-c',
    'ulimit -f 400; exec "$@"',
    'bash',
  )
  const { told, kept } = JSON.parse((await output(child)).stdout) as { told: string[]; kept: number }
  assert.deepEqual([told[0], told[3]], ['a', 'b'])
  assert.match(told[1] ?? '', /cannot be read or written: the disk fails/)
  assert.match(told[2] ?? '', /tao resume/)

  const journal = openSqliteJournal(path)
  assert.ok(kept > 0)
  for (const run of ['a', 'b']) assert.equal((await journal.read(run)).length, kept)
  await journal.close()
})
