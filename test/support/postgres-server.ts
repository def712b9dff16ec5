import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'

/** A real PostgreSQL with a data folder of its own, reached by a socket in it. */
export interface PostgresServer extends AsyncDisposable {
  /** An address of a place where there are no tables yet. */
  freshAddress(): Promise<string>
  /** What another program does in such a place. */
  query(address: string, sql: string): Promise<void>
}

const START_MS = 20_000
const NOBODY = 65_534
const INSTALL = 'apt-get update && apt-get install -y --no-install-recommends postgresql'

/** Rejects with the line that installs PostgreSQL when it is not here. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'tao-postgres-'))
  const data = join(folder, 'data')
  const who = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {} // it refuses to run as root
  if (who.uid !== undefined) chownSync(folder, who.uid, who.gid)
  const options = {
    ...who,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'] as ('ignore' | 'pipe')[],
    env: { LC_ALL: 'C' },
  }
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'tao', '-A', 'trust', '--no-sync', '-E', 'UTF8'], options)
  const settings = ["listen_addresses = ''", `unix_socket_directories = '${folder}'`, 'fsync = off']
  writeFileSync(join(data, 'postgresql.auto.conf'), settings.join('\n'))
  const server = spawn(join(programs, 'postgres'), ['-D', data], { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const address = `postgres://tao@localhost/postgres?host=${encodeURIComponent(folder)}`
  await untilReady(address, server)
  let count = 0
  return {
    async freshAddress() {
      const schema = `place_${count++}`
      await query(address, `CREATE SCHEMA ${schema}`)
      return `${address}&options=${encodeURIComponent(`-c search_path=${schema}`)}`
    },
    query,
    async [Symbol.asyncDispose]() {
      server.kill('SIGINT') // ends its connections and then itself
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function query(address: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: address })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function findPrograms(): string {
  const [found] = globSync('/usr/lib/postgresql/*/bin/postgres').sort().reverse()
  if (found !== undefined) return dirname(found)
  throw new Error(`PostgreSQL is not installed. To mend it: ${INSTALL}`)
}

/** Rejects when it ends instead. */
async function untilReady(address: string, server: ChildProcess): Promise<void> {
  let words = ''
  server.stderr?.on('data', (text) => {
    words += text
  })
  for (const until = performance.now() + START_MS; performance.now() < until; await wait(20)) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${words}`)
    const isReady = await query(address, 'SELECT 1').then(
      () => true,
      () => false,
    )
    if (isReady) return
  }
  server.kill('SIGINT')
  throw new Error(`PostgreSQL did not answer within ${START_MS} ms:\n${words}`)
}
