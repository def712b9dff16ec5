// `npm run bench:batch`: a batch against a model server that takes its time, and a batch that is killed again and again.
//   npm run bench:batch -- rate     how near the rate comes to what latency and concurrency allow, and to that of a bare loop;
//                                   what memory it takes
//   npm run bench:batch -- kills    killed with SIGKILL ten times at random moments and resumed: every record, once
// The server, each loop and this command are processes of their own; on a busy machine look at the load beside the figures.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { LOOPS, type Work } from './batch-loops.ts'
import { LATENCY_MS, serve } from './batch-server.ts'

const ITEMS = 1_000
const KILLS = 10
const MAIN = join(import.meta.dirname, '../src/cli/main.ts')

interface Measured {
  readonly seconds: number
  /** Processor time of the loop's own process, for each item. */
  readonly cpuMs: number
}

/** One batch in this process; a small one before it has loaded what items need. */
async function measureHere(work: Work, loop: keyof typeof LOOPS): Promise<Measured> {
  await LOOPS[loop](work, { out: 'warm', rows: work.concurrency })
  const began = performance.now()
  const cpu = process.cpuUsage()
  await LOOPS[loop](work, { out: 'results' })
  const { user, system } = process.cpuUsage(cpu)
  return { seconds: (performance.now() - began) / 1000, cpuMs: (user + system) / 1000 / ITEMS }
}

/** Bytes in use after a collection, when 200 and when 900 items are done: as many are under way at both times. */
async function measureHeap(work: Work): Promise<readonly number[]> {
  const heaps: number[] = []
  let done = 0
  await LOOPS.tao(work, {
    out: 'results',
    onItem: () => {
      done++
      if (done === 200 || done === 900) heaps.push(heapInUse())
    },
  })
  return heaps
}

function heapInUse(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const TASKS: Readonly<Record<Work['task'], { readonly modelCalls: number; readonly file: string }>> = {
  ask: { modelCalls: 1, file: 'task: "{{question}}"\ntools: []\n' },
  research: { modelCalls: 3, file: 'task: "{{question}}"\ntools: [search]\ncorpus: documents\n' },
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tao-bench-batch-'))
  const rows = Array.from({ length: ITEMS }, (_, at) =>
    JSON.stringify({ question: `What is ${at} and 2?`, answer: '4' }),
  )
  writeFileSync(join(folder, 'items.jsonl'), `${rows.join('\n')}\n`)
  for (const [name, { file }] of Object.entries(TASKS)) writeFileSync(join(folder, `${name}.task.yaml`), file)
  mkdirSync(join(folder, 'documents'))
  for (const rule of ['measuring: measure twice', 'cutting: cut once'])
    writeFileSync(join(folder, 'documents', `${rule.slice(0, 3)}.md`), `# The rule of ${rule}\n`)
  return folder
}

const messageOf = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T))
    child.once('exit', (code) => reject(new Error(`It ended with ${code}.`)))
  })

type Place = Omit<Work, 'folder'>

/** What a process of its own measures in a folder of its own. */
async function inWorker<T>(what: keyof typeof LOOPS | 'heap', { task, address, concurrency }: Place): Promise<T> {
  const folder = makeFolder()
  const args = ['worker', what, folder, task, address, String(concurrency)]
  try {
    return await messageOf<T>(fork(import.meta.filename, args, { execArgv: ['--expose-gc'] }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function repeated<T>(times: number, value: T): T[] {
  return Array.from({ length: times }, () => value)
}

const PLACES: readonly Omit<Place, 'address'>[] = [
  { task: 'ask', concurrency: 10 },
  ...repeated(3, { task: 'ask', concurrency: 100 } as const),
  ...repeated(3, { task: 'research', concurrency: 100 } as const),
]

/** The bare loop and Tao take turns. */
async function measureRate(address: string): Promise<void> {
  const rows: object[] = []
  for (const { task, concurrency } of PLACES) {
    const { modelCalls } = TASKS[task]
    const ideal = (concurrency * 1000) / (LATENCY_MS * modelCalls)
    const [before = 0] = loadavg()
    const bare = await inWorker<Measured>('bare', { task, address, concurrency })
    const tao = await inWorker<Measured>('tao', { task, address, concurrency })
    const [rateOfBare, rate] = [ITEMS / bare.seconds, ITEMS / tao.seconds]
    rows.push({
      ...{ 'model calls': modelCalls, concurrency, 'ideal items/s': Math.round(ideal) },
      ...{ 'bare ÷ ideal': fixed(rateOfBare / ideal, 3), 'Tao ÷ ideal': fixed(rate / ideal, 3) },
      'Tao ÷ bare': fixed(rate / rateOfBare, 3),
      ...{ 'bare, CPU ms/item': fixed(bare.cpuMs, 2), 'Tao, CPU ms/item': fixed(tao.cpuMs, 2) },
      load: fixed(before, 1),
    })
  }
  console.table(rows)
  const heaps = await inWorker<readonly number[]>('heap', { task: 'ask', address, concurrency: 100 })
  const [at200, at900] = heaps.map((bytes) => (bytes / 1e6).toFixed(1))
  console.log(`heap at 200 items ${at200} MB, at 900 items ${at900} MB`)
}

const fixed = (value: number, digits: number): number => Number(value.toFixed(digits))

async function measureKills(address: string): Promise<void> {
  const folder = makeFolder()
  const results = join(folder, 'results/rollout-1.jsonl')
  const args = ['batch', 'items.jsonl', '--task', 'ask.task.yaml', '--out', 'results', '--quiet', '--resume']
  const model = ['--model', 'openai-compatible/bench', '--base-url', address, '--concurrency', '20']
  const start = () =>
    spawn(process.execPath, [MAIN, ...args, ...model], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', TAO_HOME: join(folder, 'state') },
      stdio: 'ignore',
    })
  const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve))
  const rows: object[] = []
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = start()
    const end = ended(child)
    const before = recordsIn(results).length
    // Every third is killed wherever it is, at its start too; the others when they have begun to write.
    while (kill % 3 !== 0 && recordsIn(results).length === before) await wait(20)
    await wait(Math.random() * 700)
    child.kill('SIGKILL')
    await end
    rows.push({ kill, 'records so far': recordsIn(results).length })
  }
  const code = await ended(start())
  const ids = recordsIn(results)
  rows.push({ kill: 'none', 'records so far': ids.length })
  console.table(rows)
  console.log(`exit ${code}; ${ids.length} records, ${new Set(ids).size} different, of ${ITEMS} items`)
  rmSync(folder, { recursive: true })
  if (ids.length !== ITEMS || new Set(ids).size !== ITEMS) process.exitCode = 1
}

/** The ids of whole lines. */
function recordsIn(path: string): string[] {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    // Killed before the first record.
  }
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { readonly id: string }).id)
}

async function main(wanted: string | undefined): Promise<void> {
  const server = fork(import.meta.filename, ['server'])
  const address = await messageOf<string>(server)
  try {
    if (wanted !== 'kills') await measureRate(address)
    if (wanted !== 'rate') await measureKills(address)
  } finally {
    server.kill()
  }
}

const [what, ...args] = process.argv.slice(2)
if (what === 'server') serve()
else if (what === 'worker') process.send?.(await measureAs(args), undefined, undefined, () => process.exit())
else await main(what)

function measureAs([what, folder = '', task, address = '', concurrency]: readonly string[]): Promise<object> {
  const work = { folder, task: task === 'research' ? task : 'ask', address, concurrency: Number(concurrency) } as const
  return what === 'heap' ? measureHeap(work) : measureHere(work, what === 'bare' ? 'bare' : 'tao')
}
