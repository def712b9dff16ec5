// What a step costs in the journal, and why its table looks as it does.
//   npm run bench:journal                the journal as it is: writing, opening, listing, checking
//   npm run bench:journal -- layouts     other tables and page sizes beside it, on SQLite directly
// A step is six small events and one observation of 2 KB, in three commits, as the loop writes them.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Event, Fact } from '../src/core/event.ts'
import { openChain } from '../src/journal/chain.ts'
import { openCheckpointFile } from '../src/journal/checkpoint-file.ts'
import { openSqliteJournal } from '../src/journal/sqlite.ts'
import { findProblem } from '../src/journal/verify.ts'
import { journalEvents, line, type Sized, stepFacts } from './journal-events.ts'

const folder = mkdtempSync(join(tmpdir(), 'tao-bench-'))
/** Bytes the two messages of a step have in a request. */
function conversationBytes(step: number): number {
  const { id, name, arguments: text } = { id: `call_${step}`, name: 'lookup', arguments: `{"key":"item-${step}"}` }
  const call = { id, type: 'function', function: { name, arguments: text } }
  const messages = [
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: `item-${step}\n${line.repeat(25)}` },
  ]
  return messages.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)) + 1, 0)
}

interface Work {
  readonly runs: number
  readonly steps: number
}

const WORK: readonly Work[] = [
  { runs: 1, steps: 100 },
  { runs: 1, steps: 400 },
  { runs: 200, steps: 20 },
]

function figures(path: string, { runs, steps }: Work, cpu: NodeJS.CpuUsage, written: number): object {
  const conversation =
    runs * Array.from({ length: steps }, (_, step) => conversationBytes(step)).reduce((a, b) => a + b)
  const { size } = statSync(path)
  return {
    runs,
    steps,
    'CPU µs/step': Math.round((cpu.user + cpu.system) / runs / steps),
    KB: Math.round(size / 1024),
    'journal ÷ conversation': Number((size / conversation).toFixed(2)),
    'log KB': Math.round(written / 1024),
  }
}

type How = 'committed' | 'durable'

const KEY = 'a key that is long enough'

async function measureJournal(work: Work, how: How, everyCommitDurable: boolean): Promise<object> {
  const path = join(folder, `${crypto.randomUUID()}.db`)
  const checkpoints = openCheckpointFile(`${path}.checkpoints`)
  const journal = openSqliteJournal(path, { everyCommitDurable, key: KEY, checkpoints })
  const seqs = new Map<string, number>()
  const record = async (run: string, facts: readonly Fact[]): Promise<void> => {
    for (const fact of facts) {
      const seq = seqs.get(run) ?? 0
      seqs.set(run, seq + 1)
      journal.append({ run, seq, at: new Date().toISOString(), ...fact } as Event)
    }
    await journal.flush(run, how)
  }
  const names = Array.from(
    { length: work.runs },
    (_, index) => `20261130-080000-${index.toString(16).padStart(8, '0')}`,
  )
  const before = process.cpuUsage()
  for (let step = 0; step < work.steps; step++)
    for (const facts of stepFacts(step)) await Promise.all(names.map((run) => record(run, facts)))
  const cpu = process.cpuUsage(before)
  const written = statSync(`${path}-wal`).size
  await journal.close()
  return { how: everyCommitDurable ? 'every commit FULL' : how, ...figures(path, work, cpu, written) }
}

const LAYOUTS = {
  'rows as they come + index': {
    table: 'CREATE TABLE event (run INTEGER, seq INTEGER, at INTEGER, fact TEXT, UNIQUE (run, seq))',
    insert: 'INSERT INTO event VALUES (?1, ?2, ?3, ?4)',
  },
  'without rowid': {
    table: 'CREATE TABLE event (run INTEGER, seq INTEGER, at INTEGER, fact TEXT, PRIMARY KEY (run, seq)) WITHOUT ROWID',
    insert: 'INSERT INTO event VALUES (?1, ?2, ?3, ?4)',
  },
  'run and seq in one rowid': {
    table: 'CREATE TABLE event (place INTEGER PRIMARY KEY, at INTEGER, fact TEXT)',
    insert: 'INSERT INTO event VALUES (?1 * 16777216 + ?2, ?3, ?4)',
  },
} as const

function measureLayout(layout: keyof typeof LAYOUTS, pageSize: number, work: Work): object {
  const path = join(folder, `${crypto.randomUUID()}.db`)
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = ${(4 << 20) / pageSize}; ${LAYOUTS[layout].table}`)
  const [begin, insert, commit] = ['BEGIN IMMEDIATE', LAYOUTS[layout].insert, 'COMMIT'].map((sql) => db.prepare(sql))
  const before = process.cpuUsage()
  let seq = 0
  for (let step = 0; step < work.steps; step++)
    for (const facts of stepFacts(step)) {
      begin?.run()
      for (let run = 1; run <= work.runs; run++)
        facts.forEach((fact, index) => {
          insert?.run(run, seq + index, 1_796_000_000_000 + step, JSON.stringify(fact))
        })
      seq += facts.length
      commit?.run()
    }
  const cpu = process.cpuUsage(before)
  const written = statSync(`${path}-wal`).size
  db.close()
  return { layout, 'page size': pageSize, ...figures(path, work, cpu, written) }
}

/** The run with the middle CPU time of five. */
async function middle(measure: () => object | Promise<object>): Promise<object> {
  const results: object[] = []
  for (let round = 0; round < 5; round++) results.push(await measure())
  const cpu = (result: object): number => Number((result as Record<string, unknown>)['CPU µs/step'])
  return results.sort((a, b) => cpu(a) - cpu(b))[2] ?? {}
}

/** A journal of some size: how long it takes to open, list, read and check it. */
async function measureSize({ runs, events }: Sized): Promise<object> {
  const path = join(folder, `${crypto.randomUUID()}.db`)
  const writer = openSqliteJournal(path, { key: KEY })
  for (const event of journalEvents({ runs, events })) writer.append(event)
  await writer.close()
  const began = performance.now()
  const journal = openSqliteJournal(path, { key: KEY })
  const opened = performance.now()
  const [{ run = '' } = {}] = await journal.runs()
  const listed = performance.now()
  const { length } = await journal.read(run)
  const read = performance.now()
  const records = (await journal.records(run)) ?? { run, records: [] }
  const witnesses = { chain: openChain(KEY), checkpoints: [], linksElsewhere: () => journal.links() }
  if ((await findProblem(records, witnesses)) !== undefined) throw new Error('not what was written')
  const checked = performance.now()
  await journal.close()
  const ms = (from: number, to: number): number => Number((to - from).toFixed(1))
  return {
    runs,
    'events in each': length,
    MB: Math.round(statSync(path).size / 1e6),
    'open ms': ms(began, opened),
    'list all runs ms': ms(opened, listed),
    'read one run ms': ms(listed, read),
    'verify it ms': ms(read, checked),
    'open, list and read ms': ms(began, read),
  }
}

/** Microseconds that a link costs. */
function measureChain(key: string | undefined): object {
  const chain = openChain(key)
  const facts = stepFacts(1)
    .flat()
    .map((fact) => JSON.stringify(fact))
  let link = chain.start('run')
  const before = process.cpuUsage()
  const rounds = 20_000
  for (let round = 0; round < rounds; round++)
    for (const fact of facts) link = chain.next(link, '2026-11-30T08:00:00.000Z', fact)
  const { user, system } = process.cpuUsage(before)
  return { chain: chain.name, 'CPU µs/event': Number(((user + system) / rounds / facts.length).toFixed(2)) }
}

const rows: object[] = []
await measureJournal({ runs: 1, steps: 300 }, 'committed', false) // warm
if (process.argv[2] === 'layouts') {
  for (const pageSize of [4096, 8192, 16384, 32768])
    for (const layout of Object.keys(LAYOUTS) as (keyof typeof LAYOUTS)[])
      for (const work of WORK.slice(1)) rows.push(await middle(() => measureLayout(layout, pageSize, work)))
} else {
  console.table([await measureSize({ runs: 1, events: 100_000 }), await measureSize({ runs: 10_000, events: 10 })])
  console.table([undefined, KEY].map(measureChain))
  for (const work of WORK) rows.push(await middle(() => measureJournal(work, 'committed', false)))
  for (const work of WORK.slice(1)) rows.push(await middle(() => measureJournal(work, 'durable', false)))
  for (const work of WORK.slice(1)) rows.push(await middle(() => measureJournal(work, 'committed', true)))
}
console.table(rows)
rmSync(folder, { recursive: true })
